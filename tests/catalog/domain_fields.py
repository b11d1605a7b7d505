"""The fields each entity has, by their API names (a text by its name without a language), written by hand.

Fields whose type or target entity does not exist yet are not in it: adding one means adding its name here.
"""

_PANEL = """
    pm_show_regular_first pm_show_delivery_options pm_show_payment_options pm_show_net_in_b2c
    pm_regular_show_overview pm_regular_show_prices pm_regular_show_categories pm_regular_show_elements
    pm_regular_show_elementprices pm_regular_show_taxes pm_regular_show_cart_button pm_regular_expand_categories
    pm_recurring_show_overview pm_recurring_show_prices pm_recurring_show_categories pm_recurring_show_elements
    pm_recurring_show_elementprices pm_recurring_show_taxes pm_recurring_show_cart_button
    pm_recurring_expand_categories
"""

_FIELDS = {
    "product": f"""
        title label product_listing_ids prod_image published visualization_type baseimage shapediver_model_data
        baseprice was_price taxclass_id pricelabel custom_price_text
        baseprice_recurring was_price_recurring taxclass_recurring_id pricelabel_recurring recurring_interval
        custom_price_text_recurring
        product_details_page_type product_details_url layoutname longdescription
        product_detail_panes_in_product_pages product_detail_panes_in_configurator_pages
        show_buy_button show_product_details_button enable_reviews external_reviews_id description
        page_nav_show_tabs page_nav_show_buttons page_nav_block_on_missing_selections
        page_nav_cart_button_last_page_only
        pages product_detail_panes detail_panes_display_method
        product_custom_1 product_custom_2 product_custom_3 product_custom_4 product_custom_5 product_custom_6
        sku use_recurring_pricing dispatch_time baseweight
        is_configurable first_page_id
        {_PANEL}
    """,
    "page": "title published label layoutname css_classes product_id description ordering questions",
    "question": """
        title internal_name required question_type
        calendar_first_day calendar_validation_type_min calendar_validation_type_max calendar_days_min
        calendar_days_max
        slider_steps choices upload_extensions upload_mime_types upload_size_mb
        prefill_on_init default_value validate input_restriction
        set_min_value set_max_value minval maxval calcmodel_id_min_val calcmodel_id_max_val
        show_unit unit answers
        rules display_while_disabled behavior_on_activation behavior_on_inconsistency behavior_on_changes
        is_shapediver_control shapediver_parameter_id
        calcmodel multiplicator text_calcmodel calcmodel_recurring calcmodel_weight
        desc_display_method description
        element_custom_1 element_custom_2 element_custom_3 element_custom_4
        element_custom_translatable_1 element_custom_translatable_2
        title_display element_css_classes asproducttitle show_in_overview el_image
        page_id published ordering
    """,
    "answer": """
        question_id title internal_name sku price price_recurring was_price was_price_recurring weight
        calcmodel calcmodel_recurring calcmodel_weight
        default published rules display_while_disabled
        available disable_non_available availibility_date
        desc_display_method description option_image option_picker_image visualization_image visualization_stacking
        shapediver_choice_value
        option_custom_1 option_custom_2 option_custom_3 option_custom_4 option_custom_5 option_custom_6
        assignment_custom_1 assignment_custom_2 assignment_custom_3 assignment_custom_4
        ordering
    """,
    "product-list": "title layoutname published description product_sorting product_assignments",
    "product-list-assignment": "product_id listing_id ordering",
    "calculation": "name product_id type",
    "product-detail-pane": "product_id heading heading_icon_filename css_classes content ordering",
    "example": "title product_id published description ordering",
    "settings": f"""
        language_tag active_languages
        continue_listing_id default_country_id securecheckout disable_delivery sku_in_order_record newsletter_preset
        alternate_shipping_preset show_recurring_login_cart explicit_agreement_terms explicit_agreement_rp
        enable_invoicing send_invoice invoice_generation invoice_number_prefix invoice_number_start
        enable_reviews_products review_notification_email
        page_nav_show_tabs page_nav_show_buttons page_nav_block_on_missing_selections
        page_nav_cart_button_last_page_only show_conversion_table defaultprodimage
        use_internal_question_names use_internal_answer_names weightunits
        blocktitle_cart blocktitle_currencies blocktitle_navigation blocktitle_pricing blocktitle_visualization
        {_PANEL}
        enable_geolocation geolocation_type maxmind_user_id maxmind_license_key
        product_key license_manager_satellites
        label_product_custom_1 label_product_custom_2 label_product_custom_3 label_product_custom_4
        label_product_custom_5 label_product_custom_6
        label_element_custom_1 label_element_custom_2 label_element_custom_3 label_element_custom_4
        label_element_custom_translatable_1 label_element_custom_translatable_2
        label_assignment_custom_1 label_assignment_custom_2 label_assignment_custom_3 label_assignment_custom_4
        label_option_custom_1 label_option_custom_2 label_option_custom_3 label_option_custom_4
        label_option_custom_5 label_option_custom_6
        usertime unorderedtime intervals labelexpiry
        url_segment_cart url_segment_user
        structureddata structureddata_in use_ga_ecommerce ga_property_id ga_behavior_offline_psps
        use_ga_enhanced_ecommerce
        enable_performance_tracking use_minified_js use_minified_css use_assets_cache_buster
    """,
    "store": """
        shopname shopwebsite shoplogo shopaddress1 shopaddress2 shopzipcode shopcity country_id
        shopphonesales shopphonesupport shopemailsales shopemailsupport shopfax
        shopbankname shopbankaccountholder shopbankaccount shopbankcode shopbic shopiban
        shopuid shopcomreg shopowner shoplegalvenue shopdesc tac refundpolicy
        shopcountry
    """,
    "currency": "title multiplicator symbol code default base published ordering",
    "tax-class": "title default_tax_rate id_external",
    "country": """
        country_name country_3_code country_2_code vat_free in_eu_vat_area published
        custom_1 custom_2 custom_3 custom_4 custom_translatable_1 custom_translatable_2 ordering
    """,
}

FIELDS = {entity: sorted(names.split()) for entity, names in _FIELDS.items()}
