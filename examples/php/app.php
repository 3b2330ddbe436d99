<?php
/**
 * A shop that pays its sellers through Jara. POST /orders keeps an order and pays its seller, GET /orders/{id} shows
 * it, and Jara says at POST /hooks what became of the payout. Run from a terminal (or by cron, every minute), it pays
 * what a crash or a lost reply left behind.
 *
 * POST /orders spends your money. Serve it to this machine only: put your own login in front before you open it up.
 */
declare(strict_types=1);

const OUTCOMES = ['transfer.completed' => 'paid', 'transfer.failed' => 'failed', 'transfer.reversed' => 'reversed'];
const FIELDS = ['id', 'seller', 'accountNumber', 'bankCode', 'amount'];

/** Jara has said no, and nothing was paid. */
class Refused extends Exception {}

function setting(string $name, string $usual = ''): string
{
    return getenv($name) ?: $usual ?: throw new RuntimeException("Set $name. README.md says where it comes from.");
}

function database(): PDO
{
    static $db = null;
    if ($db === null) {
        $db = new PDO('sqlite:' . setting('ORDERS_FILE', __DIR__ . '/orders.db'));
        $db->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_ASSOC);
        $db->exec('pragma busy_timeout = 10000');
        $db->exec("create table if not exists orders (
            id text primary key, seller text not null, accountNumber text not null, bankCode text not null,
            amount real not null, status text not null default 'placed', reason text, accountName text,
            version integer not null default 0)");
        $db->exec('create table if not exists handledEvents (id text primary key)');
        $db->exec('create table if not exists messages (orderId text not null, text text not null)');
    }
    return $db;
}

function run(string $sql, array $values = []): PDOStatement
{
    $statement = database()->prepare($sql);
    $statement->execute($values);
    return $statement;
}

function callJara(string $method, string $path, ?array $body = null): array
{
    $headers = ['Authorization: Bearer ' . setting('JARA_SECRET_KEY'), 'Content-Type: application/json'];
    $curl = curl_init(setting('JARA_BASE_URL', 'http://localhost:4000') . $path);
    curl_setopt_array($curl, [CURLOPT_CUSTOMREQUEST => $method, CURLOPT_HTTPHEADER => $headers, CURLOPT_TIMEOUT => 30,
        CURLOPT_RETURNTRANSFER => true] + ($body ? [CURLOPT_POSTFIELDS => json_encode($body)] : []));
    $reply = json_decode((string) curl_exec($curl), true);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($status >= 200 && $status < 300) return $reply['data'];
    $why = $reply['message'] ?? curl_error($curl);
    // A wrong key, too many requests, a lost reply: they say nothing about the order, and it is tried again later.
    $isRefusal = $status >= 400 && $status < 500 && !in_array($status, [401, 403, 429], true);
    throw $isRefusal ? new Refused($why) : new RuntimeException($why);
}

/** Safe to call again at any time, also after a crash in the middle: Jara pays a reference once. */
function payOut(array $order): void
{
    $account = ['accountNumber' => $order['accountNumber'], 'bankCode' => $order['bankCode']];
    try {
        $enquiry = callJara('GET', '/transfers/name-enquiry?' . http_build_query($account));
        callJara('POST', '/transfers', $account + ['amount' => $order['amount'], 'currency' => 'NGN',
            // With accountName, Jara pays only if the bank's name for the account is the seller's.
            'accountName' => $order['seller'], 'nameEnquiryReference' => $enquiry['nameEnquiryReference'],
            'reference' => "order-$order[id]", 'narration' => "Order $order[id]"]);
        moveUnsent($order['id'], 'sent', null, $enquiry['accountName']);
    } catch (Refused $refusal) {
        moveUnsent($order['id'], 'refused', $refusal->getMessage(), null);
    } catch (RuntimeException $error) {
        error_log("Order $order[id] waits for its next try. " . $error->getMessage());
    }
}

/** The webhook may be faster than the reply to the payout; then the order has moved on already. */
function moveUnsent(string $id, string $status, ?string $reason, ?string $accountName): void
{
    run("update orders set status = ?, reason = ?, accountName = ? where id = ? and status in ('placed', 'refused')",
        [$status, $reason, $accountName, $id]);
}

function isFromJara(string $rawBody): bool
{
    [$id, $timestamp, $signatures] = array_map(fn ($name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '',
        ['ID', 'TIMESTAMP', 'SIGNATURE']);
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) return false;
    $key = base64_decode(substr(setting('JARA_WEBHOOK_SECRET'), strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
    // Two signatures come while the secret is being rotated; one is enough.
    return array_filter(explode(' ', $signatures), fn ($given) => hash_equals($expected, $given)) !== [];
}

/** Once for each event, in one transaction. An event that is older than what the order knows changes nothing. */
function handleEvent(array $event): void
{
    $status = OUTCOMES[$event['event']] ?? null;
    $version = $event['resource_version'];
    database()->exec('begin immediate');
    $isNew = run('insert or ignore into handledEvents values (?)', [$event['id']])->rowCount() === 1;
    if ($isNew && $status !== null) {
        $id = preg_replace('/^order-/', '', $event['data']['reference']);
        $values = [$status, $event['data']['failureReason']['message'] ?? null, $version, $id, $version];
        $update = 'update orders set status = ?, reason = ?, version = ? where id = ? and version < ?';
        $isMoved = run($update, $values)->rowCount() === 1;
        // Mail takes long and Jara waits: write down what to send, and let another program send it.
        if ($isMoved) run('insert into messages values (?, ?)', [$id, "Your payout is $status."]);
    }
    database()->exec('commit'); // without it, the end of this request rolls everything back
}

function findOrder(string $id): ?array
{
    $order = run('select * from orders where id = ?', [$id])->fetch();
    $messages = run('select text from messages where orderId = ?', [$id])->fetchAll(PDO::FETCH_COLUMN);
    return $order ? $order + ['messages' => $messages] : null;
}

function placeOrder(?array $order): array
{
    $isOrder = $order !== null && array_diff(FIELDS, array_keys($order)) === [];
    if (!$isOrder || !preg_match('/^[\w-]{1,50}$/D', (string) $order['id'])) return [400, ['error' => 'Not an order.']];
    run('insert or ignore into orders (id, seller, accountNumber, bankCode, amount) values (?, ?, ?, ?, ?)',
        array_map(fn ($field) => $order[$field], FIELDS));
    payOut(findOrder($order['id']));
    return [201, findOrder($order['id'])];
}

function respond(string $request, string $rawBody): array
{
    if ($request === 'POST /orders') return placeOrder(json_decode($rawBody, true));
    if ($request === 'POST /hooks') {
        if (!isFromJara($rawBody)) return [400, ['error' => 'This is not signed by Jara, or it is too old.']];
        handleEvent(json_decode($rawBody, true));
        return [204, null];
    }
    $order = findOrder(preg_replace('#^GET /orders/#', '', $request));
    return $order ? [200, $order] : [404, ['error' => 'There is no such order.']];
}

if (PHP_SAPI === 'cli') {
    foreach (run("select * from orders where status = 'placed'")->fetchAll() as $order) payOut($order);
} else {
    [$status, $body] = respond("$_SERVER[REQUEST_METHOD] $_SERVER[REQUEST_URI]", file_get_contents('php://input'));
    http_response_code($status);
    header('Content-Type: application/json');
    echo $body === null ? '' : json_encode($body);
}
