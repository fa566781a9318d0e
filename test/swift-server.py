# OpenStack Swift with its S3 API: all four servers in one process, on ports of their own, with one disk in a folder.
# Arguments: folder, region, access key (account:user), secret key. Prints the address of the S3 API when it is ready.
import sys

import eventlet
from swift.common import utils, wsgi
from swift.common.ring import RingBuilder

utils.eventlet_monkey_patch()
# What Debian's package leaves to /etc/swift/swift.conf.
utils.HASH_PATH_SUFFIX = b"lectern"

folder, region, access_key, secret_key = sys.argv[1:]
account, user = access_key.split(":")
settings = {"folder": folder, "region": region, "account": account, "user": user, "secret_key": secret_key}

BACKEND = """[DEFAULT]
swift_dir = {folder}
devices = {folder}
mount_check = false
[app:main]
use = egg:swift#{name}
"""
FRONT = """[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = catch_errors listing_formats s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = {region}
# So that a short list has several pages.
max_bucket_listing = 10
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret_key} .admin
[filter:slo]
use = egg:swift#slo
"""


class Cache:
    """In the place of memcached."""

    def __init__(self):
        self.values = {}

    def get(self, key, *_, **__):
        return self.values.get(key)

    def set(self, key, value, *_, **__):
        self.values[key] = value

    def delete(self, key, *_, **__):
        self.values.pop(key, None)


class NoLog:
    def write(self, *_):
        pass

    def flush(self):
        pass


cache = Cache()


def with_cache(app):
    def call(env, start_response):
        env["swift.cache"] = cache
        return app(env, start_response)

    return call


def serve(name, template):
    path = f"{folder}/{name}.conf"
    with open(path, "w") as file:
        file.write(template.format(name=name, **settings))
    app = with_cache(wsgi.loadapp(path))
    return eventlet.spawn(eventlet.wsgi.server, sockets[name], app, NoLog(), protocol=wsgi.SwiftHttpProtocol)


backends = ("account", "container", "object")
sockets = {kind: eventlet.listen(("127.0.0.1", 0)) for kind in (*backends, "proxy")}
for kind in backends:
    ring = RingBuilder(part_power=1, replicas=1, min_part_hours=0)
    port = sockets[kind].getsockname()[1]
    ring.add_dev({"region": 1, "zone": 1, "weight": 1, "ip": "127.0.0.1", "port": port, "device": "disk"})
    ring.rebalance()
    ring.get_ring().save(f"{folder}/{kind}.ring.gz")
    serve(kind, BACKEND)
proxy = serve("proxy", FRONT)
print(f"http://127.0.0.1:{sockets['proxy'].getsockname()[1]}", flush=True)
proxy.wait()
