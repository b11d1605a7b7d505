"""Settings of a ConfigBox installation, read from the environment; `.env.example` lists every variable."""

from pathlib import Path

import environ
from django.core.management.utils import get_random_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env_file = BASE_DIR / ".env"
if env_file.exists():
    environ.Env.read_env(str(env_file))

VAR_DIR = Path(env.str("CONFIGBOX_VAR", default=str(BASE_DIR / "var")))
VAR_DIR.mkdir(parents=True, exist_ok=True)


def _secret_key() -> str:
    """Return SECRET_KEY, or a key made once and kept in the var folder, readable by its owner alone."""
    if key := env.str("SECRET_KEY", default=""):
        return str(key)
    path = VAR_DIR / "secret_key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(get_random_secret_key())
    return path.read_text()


SECRET_KEY = _secret_key()
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular_sidecar",
    "configbox.access",
    "configbox.customization",
    "configbox.languages",
    "configbox.catalog",
    "configbox.store",
    "configbox.system",
    "configbox.entities",
    "configbox.configurator",
    "configbox.operations",
    "configbox.backoffice",
    "cbx_api",
    "cbx_mcp",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

# Origins of pages that may send forms and call the API, beside the store's own: https://shop.example.com
CSRF_TRUSTED_ORIGINS = env.list("TRUSTED_ORIGINS", default=[])

# Seconds after which the web server ends a process that has not answered (gunicorn.conf.py).
HTTP_TIMEOUT = env.int("HTTP_TIMEOUT", default=60)

ROOT_URLCONF = "configbox.urls"
WSGI_APPLICATION = "configbox.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'configbox.sqlite3'}")}
_database = DATABASES["default"]
# Opening one costs as much as a whole small request. A kept one is tried before it is used again.
_database.setdefault("CONN_MAX_AGE", 60)
_database.setdefault("CONN_HEALTH_CHECKS", True)
if _database["ENGINE"] == "django.db.backends.sqlite3":
    # Two writers wait for each other instead of failing half way (docs/decisions/0003-storage.md).
    _database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    }
elif _database["ENGINE"] == "django.db.backends.mysql":
    _database.setdefault("OPTIONS", {}).update({"charset": "utf8mb4", "isolation_level": "read committed"})
    _database["TEST"] = {"CHARSET": "utf8mb4", "COLLATION": "utf8mb4_unicode_ci"}

DEFAULT_EXCEPTION_REPORTER_FILTER = "configbox.access.error_reports.TokenHidingFilter"

DEFAULT_AUTO_FIELD = "django.db.models.AutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English"), ("de-de", "Deutsch")]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
MEDIA_ROOT = VAR_DIR / "files"
WHITENOISE_USE_FINDERS = True

if not DEBUG:
    SECURE_CONTENT_TYPE_NOSNIFF = True
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.bool("HTTPS", default=False)
    SECURE_SSL_REDIRECT = env.bool("HTTPS", default=False)
    # A redirect turns a program's POST into a GET; what could be protected was sent already.
    SECURE_REDIRECT_EXEMPT = [r"^([^/]+/)?cb-api/", r"^(healthz|readyz)/?$"]
    SECURE_HSTS_SECONDS = 31_536_000 if env.bool("HTTPS", default=False) else 0

# Everything goes to standard error: standard output belongs to the MCP protocol.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "class": "configbox.access.log_lines.TokenMaskingFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {"django": {"handlers": [], "level": "INFO", "propagate": True}},
}
