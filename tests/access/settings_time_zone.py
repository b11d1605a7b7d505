"""Settings of a store whose time zone is the variable STORE_TIME_ZONE."""

import os

from configbox.settings import *  # noqa: F403

TIME_ZONE = os.environ["STORE_TIME_ZONE"]
