"""The door for web servers. What the first visit needs is worked out while nobody waits for it yet."""

import os
from threading import Thread

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "advisor.settings")
application = get_wsgi_application()

from advisor import samples  # noqa: E402 (models can be imported only now)

Thread(target=samples.prepare, name="prepare", daemon=True).start()
