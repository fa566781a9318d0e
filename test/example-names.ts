// Loaded before a shop that stands behind `HttpsProxy`: names under `.example`, which no DNS server knows (RFC 2606), lead to
// this machine.
import dns from 'node:dns'

const find = dns.lookup

function lookup(host: string, ...rest: [never, never]): void {
  find(host.endsWith('.example') ? '127.0.0.1' : host, ...rest)
}

Object.assign(dns, { lookup })
