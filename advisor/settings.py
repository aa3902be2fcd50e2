"""Settings, read from ADVISOR_ variables. With none set: one person, one machine, SQLite in var/, no network."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("ADVISOR_VAR_DIR", BASE_DIR / "var"))


def env_bool(name: str, default: bool) -> bool:
    """True or False as written; any other text stops the start."""
    text = os.environ.get(name)
    if text is None:
        return default
    if text not in ("True", "False"):
        raise ImproperlyConfigured(f"{name} is {text!r}; write True or False")
    return text == "True"


def local_secret_key() -> str:
    """The key of this machine, made once and readable by its owner only."""
    path = VAR_DIR / "secret_key"
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(handle, "w", encoding="ascii") as file:
        key = secrets.token_urlsafe(50)
        file.write(key)
    return key


def production_secret_key() -> str:
    key = os.environ.get("ADVISOR_SECRET_KEY", "")
    if len(key) < 50:
        raise ImproperlyConfigured("ADVISOR_SECRET_KEY must be set to at least 50 characters in production")
    return key


def env_number(name: str, default: int) -> int:
    """A whole number above 0; any other text stops the start."""
    text = os.environ.get(name, str(default))
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ImproperlyConfigured(f"{name} is {text!r}; write a whole number above 0")
    return int(text)


PRODUCTION = "ADVISOR_ALLOWED_HOSTS" in os.environ
DEBUG = env_bool("ADVISOR_DEBUG", False)
if PRODUCTION:
    ALLOWED_HOSTS = [host.strip() for host in os.environ["ADVISOR_ALLOWED_HOSTS"].split(",") if host.strip()]
    if not ALLOWED_HOSTS:
        raise ImproperlyConfigured("ADVISOR_ALLOWED_HOSTS is empty; name at least one host, comma separated")
    SECRET_KEY = production_secret_key()
else:
    ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
    SECRET_KEY = local_secret_key()

SECURE_SSL_REDIRECT = PRODUCTION
SECURE_HSTS_SECONDS = 31536000 if PRODUCTION else 0
SESSION_COOKIE_SECURE = PRODUCTION
CSRF_COOKIE_SECURE = PRODUCTION

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "advisor",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "advisor.middleware.UploadLimitMiddleware",
]
TEMPLATE_TAGS = ["advisor.templatetags.figures", "django_htmx.templatetags.django_htmx", "django.templatetags.static"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"], "builtins": TEMPLATE_TAGS},
    }
]
ROOT_URLCONF = "advisor.urls"
WSGI_APPLICATION = "advisor.wsgi.application"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": VAR_DIR / "advisor.sqlite3",
        # Readers do not wait for a writer, and writers wait for each other instead of failing.
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL",
        },
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
FIXTURE_DIRS = [BASE_DIR / "fixtures"]

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True  # the static files of one machine need no collecting

# Nothing inline, nothing from elsewhere. Reports and fleets are nobody's to frame or to index.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "advisor.views.error.csrf_failure"
SESSION_COOKIE_AGE = 180 * 24 * 3600

MIB = 1024 * 1024
# An upload is written to disk as it comes; larger ones than this are refused before they are read.
UPLOAD_LIMIT_BYTES = env_number("ADVISOR_UPLOAD_LIMIT_MIB", 512) * MIB
# Files up to this are read while the browser waits; larger ones by a worker, and a page shows how far it is.
READ_AT_ONCE_BYTES = env_number("ADVISOR_READ_AT_ONCE_MIB", 2) * MIB
# What may wait to be read, of all visitors together: it lies on disk until then.
WAITING_LIMIT_BYTES = env_number("ADVISOR_WAITING_LIMIT_MIB", 4096) * MIB
# A table that was read is kept for so long, to match its columns by hand; the oldest go when there is no room.
FILES_KEPT_MINUTES = env_number("ADVISOR_FILES_KEPT_MINUTES", 60)
KEPT_LIMIT_BYTES = env_number("ADVISOR_KEPT_LIMIT_MIB", 2048) * MIB
UPLOADS_DIR = VAR_DIR / "uploads"
UPLOADS_DIR.mkdir(parents=True, exist_ok=True)
FILE_UPLOAD_TEMP_DIR = str(UPLOADS_DIR)  # on the disk on which they wait: handing on is renaming
# A worker that is silent for longer has been killed: another one takes over what it read.
LEASE_SECONDS = env_number("ADVISOR_LEASE_SECONDS", 20)
# One worker starts and ends with the server; set this to False where workers are started by themselves.
START_WORKER = env_bool("ADVISOR_START_WORKER", True)
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["imports"]}}
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"stderr": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
