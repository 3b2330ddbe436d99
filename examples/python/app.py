"""A shop that pays its sellers through Jara. POST /orders keeps an order and pays its seller, GET /orders/{id} shows
it, and Jara says at POST /hooks what became of the payout.

POST /orders spends your money. It listens on this machine only: put your own login in front before you open it up.
"""
import base64
import hashlib
import hmac
import json
import os
import re
import sqlite3
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests

BASE_URL = os.environ.get("JARA_BASE_URL", "http://localhost:4000")
SECRET_KEY = os.environ.get("JARA_SECRET_KEY", "")
WEBHOOK_SECRET = os.environ.get("JARA_WEBHOOK_SECRET", "")
ORDERS_FILE = os.environ.get("ORDERS_FILE", "orders.db")
OUTCOMES = {"transfer.completed": "paid", "transfer.failed": "failed", "transfer.reversed": "reversed"}
FIELDS = {"id", "seller", "accountNumber", "bankCode", "amount"}
TABLES = """
create table if not exists orders (
  id text primary key, seller text not null, accountNumber text not null, bankCode text not null, amount real not null,
  status text not null default 'placed', reason text, accountName text, version integer not null default 0);
create table if not exists handledEvents (id text primary key);
create table if not exists messages (orderId text not null, text text not null);
"""


@contextmanager
def transaction():
    """All of it or nothing; the second of two writers waits."""
    db = sqlite3.connect(ORDERS_FILE, timeout=10, isolation_level=None)
    db.row_factory = sqlite3.Row
    try:
        db.execute("begin immediate")
        yield db
        db.execute("commit")
    finally:
        db.close()  # what was not committed is rolled back


class Refused(Exception):
    """Jara has said no, and nothing was paid."""


def call_jara(method, path, **more):
    headers = {"Authorization": f"Bearer {SECRET_KEY}"}
    reply = requests.request(method, BASE_URL + path, headers=headers, timeout=30, **more)
    # A wrong key, too many requests or a fault of the server say nothing about the order: it is tried again later.
    if 400 <= reply.status_code < 500 and reply.status_code not in (401, 403, 429):
        raise Refused(reply.json()["message"])
    reply.raise_for_status()
    return reply.json()["data"]


def pay_out(order):
    """Safe to call again at any time, also after a crash in the middle: Jara pays a reference once."""
    account = {"accountNumber": order["accountNumber"], "bankCode": order["bankCode"]}
    try:
        enquiry = call_jara("GET", "/transfers/name-enquiry", params=account)
        call_jara("POST", "/transfers", json={
            **account, "amount": order["amount"], "currency": "NGN",
            # With accountName, Jara pays only if the bank's name for the account is the seller's.
            "accountName": order["seller"], "nameEnquiryReference": enquiry["nameEnquiryReference"],
            "reference": f"order-{order['id']}", "narration": f"Order {order['id']}"})
        move_unsent(order["id"], "sent", account_name=enquiry["accountName"])
    except Refused as refusal:
        move_unsent(order["id"], "refused", reason=str(refusal))
    except requests.RequestException as error:
        print(f"Order {order['id']} waits for its next try. {error}", file=sys.stderr)


def move_unsent(order_id, status, reason=None, account_name=None):
    """The webhook may be faster than the reply to the payout; then the order has moved on already."""
    with transaction() as db:
        db.execute("update orders set status = ?, reason = ?, accountName = ? where id = ? "
                   "and status in ('placed', 'refused')", (status, reason, account_name, order_id))


def pay_out_placed():
    """What a crash or a lost reply left behind; again every 30 seconds."""
    while True:
        with transaction() as db:
            placed = db.execute("select * from orders where status = 'placed'").fetchall()
        for order in placed:
            pay_out(order)
        time.sleep(30)


def is_from_jara(headers, body):
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(WEBHOOK_SECRET.removeprefix("whsec_"))
    mac = hmac.new(key, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256)
    expected = b"v1," + base64.b64encode(mac.digest())
    # Two signatures come while the secret is being rotated; one is enough.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(expected, signature) for signature in given)


def handle_event(event):
    """Once for each event. An event that is older than what the order knows changes nothing."""
    data, version, status = event["data"], event["resource_version"], OUTCOMES.get(event["event"])
    with transaction() as db:
        is_new = db.execute("insert or ignore into handledEvents values (?)", (event["id"],)).rowcount == 1
        if not is_new or status is None:
            return
        order_id, reason = data["reference"].removeprefix("order-"), (data["failureReason"] or {}).get("message")
        moved = db.execute("update orders set status = ?, reason = ?, version = ? where id = ? and version < ?",
                           (status, reason, version, order_id, version)).rowcount
        if moved:  # Mail takes long and Jara waits: write down what to send, and let another program send it.
            db.execute("insert into messages values (?, ?)", (order_id, f"Your payout is {status}."))


def place_order(order):
    with transaction() as db:
        db.execute("insert or ignore into orders (id, seller, accountNumber, bankCode, amount) "
                   "values (:id, :seller, :accountNumber, :bankCode, :amount)", order)
    pay_out(find_order(order["id"]))
    return find_order(order["id"])


def find_order(order_id):
    with transaction() as db:
        order = db.execute("select * from orders where id = ?", (order_id,)).fetchone()
        messages = db.execute("select text from messages where orderId = ?", (order_id,)).fetchall()
    return order and {**dict(order), "messages": [text for (text,) in messages]}


def respond(method, path, headers, body):
    if (method, path) == ("POST", "/hooks"):
        if not is_from_jara(headers, body):
            return 400, {"error": "This is not signed by Jara, or it is too old."}
        handle_event(json.loads(body))
        return 204, None
    if (method, path) == ("POST", "/orders"):
        order = json.loads(body)
        is_order = set(order) == FIELDS and re.fullmatch("[A-Za-z0-9_-]{1,50}", str(order["id"]))
        return (201, place_order(order)) if is_order else (400, {"error": "This is not an order."})
    order = find_order(path.removeprefix("/orders/"))
    return (200, order) if order else (404, {"error": "There is no such order."})


class Shop(BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        status, reply = respond(self.command, self.path, self.headers, body)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode() if reply else b"")

    do_GET = do_POST = answer


if __name__ == "__main__":
    if not SECRET_KEY or not WEBHOOK_SECRET.startswith("whsec_"):
        sys.exit("Set JARA_SECRET_KEY (sk_…) and JARA_WEBHOOK_SECRET (whsec_…). README.md says where they come from.")
    sqlite3.connect(ORDERS_FILE).executescript(TABLES)
    threading.Thread(target=pay_out_placed, daemon=True).start()
    port = int(os.environ.get("PORT", "3000"))
    print(f"The shop is at http://localhost:{port}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", port), Shop).serve_forever()
