"""How gunicorn serves a store: `gunicorn configbox.wsgi` reads this file where it is started."""

from configbox.settings import HTTP_TIMEOUT

# Each worker is a process that serves one request at a time: a call that hangs or dies takes no other with it.
worker_class = "sync"
workers = 2
timeout = HTTP_TIMEOUT
# Nothing manages a running store through a socket in somebody's home.
control_socket_disable = True
# No header says under which address the store is served.
forwarder_headers = ""
