"""What a store sells: products, their pages, questions and answers, lists, and named calculations."""

from configbox.catalog.models.answer import Answer
from configbox.catalog.models.calculation import Calculation
from configbox.catalog.models.example import Example
from configbox.catalog.models.page import Page
from configbox.catalog.models.product import Product
from configbox.catalog.models.product_detail_pane import ProductDetailPane
from configbox.catalog.models.product_list import ProductList
from configbox.catalog.models.product_list_assignment import ProductListAssignment
from configbox.catalog.models.question import Question
from configbox.catalog.models.url_label import UrlLabel

__all__ = [
    "Answer",
    "Calculation",
    "Example",
    "Page",
    "Product",
    "ProductDetailPane",
    "ProductList",
    "ProductListAssignment",
    "Question",
    "UrlLabel",
]
