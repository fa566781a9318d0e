// An admin may not enter some servers for mail or backups: above all, a machine of the shop's own network.
import { isIP } from 'node:net'
import type { FieldProblems } from '#contract/field-rules.ts'
import { isThisMachine } from '#contract/mail/mail-settings.ts'
import { bucketPorts, mailPorts } from '#contract/network.ts'
import { isPublicAddress } from '#platform/public-connection.ts'
import type { SettingValues } from '../../config.ts'

export function findMailConflicts({
  host,
  port,
  encryption,
  is_public_only,
}: SettingValues['mail']): FieldProblems | undefined {
  if (is_public_only && isInside(host))
    return {
      host: 'This is the shop’s own machine, or its network. A mail server there is set with SMTP_URL where the shop is started, or may be entered here with SMTP_PRIVATE_HOSTS=on.',
    }
  if (is_public_only && !mailPorts.includes(port))
    return {
      port: `Enter one of ${mailPorts.join(', ')}. Another port needs SMTP_PRIVATE_HOSTS=on or SMTP_URL, where the shop is started.`,
    }
  if (encryption !== 'tls' && encryption !== 'starttls' && !isThisMachine(host))
    return {
      encryption:
        'Without encryption, others could read mails and password on their way: only a server on this machine can do without.',
    }
  return undefined
}

/** A name is looked up, and checked, at each connection. */
function isInside(host: string): boolean {
  const address = host.replace(/^\[(.+)\]$/, '$1')
  return isThisMachine(host) || (isIP(address) > 0 && !isPublicAddress(address))
}

/** The needed fields are asked for here: the schema allows that there is no second place. */
export function findBucketConflicts(backups: SettingValues['backups']): FieldProblems | undefined {
  const { endpoint, region, access_key, secret_key, is_public_only } = backups
  const problems: FieldProblems = {}
  if (!region) problems['region'] = 'Please enter the region, as your provider names it.'
  if (!access_key) problems['access_key'] = 'Please enter the access key.'
  if (!secret_key) problems['secret_key'] = 'Please enter the secret key.'
  const refused = endpoint && is_public_only ? describeRefused(new URL(endpoint)) : undefined
  if (refused) problems['endpoint'] = refused
  return Object.keys(problems).length > 0 ? problems : undefined
}

function describeRefused({ protocol, hostname, port }: URL): string | undefined {
  const byVariable = 'One there is named by BACKUP_URL, where the shop is started.'
  if (isInside(hostname)) return `This is the shop’s own machine, or its network. ${byVariable}`
  if (protocol !== 'https:') return 'The address must begin with https://: others could read along.'
  if (port === '' || bucketPorts.includes(Number(port))) return undefined
  return `Enter an address without a port, or with one of ${bucketPorts.join(', ')}. ${byVariable}`
}
