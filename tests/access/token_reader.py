"""A process that stays: reads one token per line and answers who bears it, or why it is refused, as JSON."""

import json
import sys

import django

if __name__ == "__main__":
    django.setup()
    from configbox.access.tokens import TokenRefused, authenticate

    for line in sys.stdin:
        try:
            bearer = authenticate(line.rstrip("\n"))
        except TokenRefused as refused:
            print(json.dumps(refused.message), flush=True)
        else:
            print(json.dumps([bearer.label, sorted(bearer.grant.scopes)]), flush=True)
