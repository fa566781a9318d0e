import { lookup } from 'node:dns/promises'
import { connect } from 'node:tls'
import { askOwnAddress } from '#platform/http/own-address.ts'
import type { Secret } from '#platform/secret.ts'
import { ok, warn, wrong, type Verdict } from './finding.ts'

const connectMs = 10_000
const dayMs = 86_400_000
/** Let's Encrypt renews 30 days before the end. */
const minDays = 14

export async function checkAddress(siteUrl: string, known: readonly Secret[]): Promise<Verdict> {
  const { hostname } = new URL(siteUrl)
  const isName = await lookup(hostname.replace(/^\[(.+)\]$/, '$1')).then(
    () => true,
    () => false,
  )
  if (!isName)
    return wrong(
      `there is no address for ${hostname}`,
      'Let the name lead to this machine, or correct SITE_URL.',
    )
  const { fault, isProxyIgnored } = await askOwnAddress(siteUrl, known)
  if (fault) return wrong(fault, 'Is the shop running? Else look at its proxy and its firewall.')
  const says = `${siteUrl} leads to this shop`
  if (!isProxyIgnored) return ok(says)
  return warn(
    `${says}, through a proxy that it does not trust, so limits count all visitors as one`,
    'Set TRUST_PROXY=1 (of several proxies in a row, their number), and let the proxy send X-Forwarded-For.',
  )
}

export async function checkEncryption(siteUrl: string): Promise<Verdict> {
  const { protocol, hostname, port } = new URL(siteUrl)
  if (protocol !== 'https:')
    return warn(
      `${siteUrl} does not begin with https`,
      'Others can read what is sent: put a proxy with https in front.',
    )
  const { validTo, fault } = await readCertificate(hostname.replace(/^\[(.+)\]$/, '$1'), Number(port) || 443)
  if (fault) return wrong(`browsers refuse the certificate: ${fault}`, 'Renew it, or correct the name in it.')
  const days = Math.floor((validTo.getTime() - Date.now()) / dayMs)
  const says = `${siteUrl} has a certificate for ${days} more days`
  return days < minDays ? warn(says, 'Look why your proxy has not renewed it.') : ok(says)
}

function readCertificate(host: string, port: number): Promise<{ validTo: Date; fault: string | undefined }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: connectMs })
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate()
      const fault = socket.authorized ? undefined : String(socket.authorizationError)
      socket.destroy()
      resolve({ validTo: new Date(valid_to), fault })
    })
    socket.once('timeout', () => socket.destroy(new Error(`${host} does not respond`)))
    socket.once('error', reject)
  })
}
