import { useState, type ChangeEvent } from 'react'
import { findProvider, mailProviders, type MailProvider } from '#contract/mail/mail-providers.ts'
import type { MailSettings } from '#contract/mail/mail-settings.ts'
import { SelectField } from '../../../components/select-field.tsx'
import { SecretField, SettingField, SettingSelect } from './setting-fields.tsx'
import type { FormGroup } from './settings-form.tsx'

type Group = FormGroup<Omit<MailSettings, 'password' | 'is_public_only'>>

const none = 'none'
const other = 'other'
const removed = 'The stored password is removed when you save: it is for the server from before.'
const choices = [
  { value: none, label: 'None: emails are kept, not sent' },
  ...mailProviders.map(({ name }) => ({ value: name, label: name })),
  { value: other, label: 'Another mail server' },
]

export function MailServerFields({ group }: { group: Group }) {
  const { host, port, encryption, user } = group.values
  const [server, setServer] = useState({ host, port: String(port), encryption, user })
  const [choice, setChoice] = useState(host === '' ? none : (findProvider(host)?.name ?? other))
  const provider = mailProviders.find(({ name }) => name === choice)

  function choose(value: string) {
    setChoice(value)
    const chosen = mailProviders.find(({ name }) => name === value)
    if (chosen) setServer(serverOf(chosen))
  }

  return (
    <>
      {!group.variables['host'] && (
        <SelectField
          label="Provider"
          value={choice}
          onChange={({ target }) => choose(target.value)}
          options={choices}
          hint={
            choice === none && group.saved.host !== '' && group.secrets['password'] ? removed : provider?.note
          }
        />
      )}
      {choice === none ? (
        <input type="hidden" name="host" value="" />
      ) : (
        <ServerFields group={group} server={server} provider={provider} onChange={setServer} />
      )}
    </>
  )
}

type Server = { host: string; port: string; encryption: MailSettings['encryption']; user: string }

function serverOf({ host, port, encryption, fixedUser = '' }: MailProvider): Server {
  return { host, port: String(port), encryption, user: fixedUser }
}

function isOther({ host, port, user }: Server, saved: Group['values']): boolean {
  return host.trim() !== saved.host || Number(port) !== saved.port || user.trim() !== saved.user
}

const encryptions = [
  { value: 'tls', label: 'TLS (port 465)' },
  { value: 'starttls', label: 'STARTTLS (port 587)' },
  { value: 'none', label: 'None (only a server on this machine)' },
]

const otherServer =
  'Please enter the password for this server and user. The stored one is for another, so it is removed when you save.'

type ServerFieldsProps = {
  group: Group
  server: Server
  provider: MailProvider | undefined
  onChange: (server: Server) => void
}

function ServerFields({ group, server, provider, onChange }: ServerFieldsProps) {
  const plain = { group, autoComplete: 'off', spellCheck: false } as const
  const typed = (name: 'host' | 'port' | 'user') => ({
    ...plain,
    name,
    value: server[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChange({ ...server, [name]: target.value }),
  })
  return (
    <>
      <div className="grid gap-x-5 gap-y-6 sm:grid-cols-[minmax(0,1fr)_7rem_minmax(0,14rem)]">
        <SettingField label="Server" {...typed('host')} />
        <SettingField label="Port" inputMode="numeric" {...typed('port')} />
        <SettingSelect
          group={group}
          name="encryption"
          label="Encryption"
          options={encryptions}
          value={server.encryption}
          onChange={({ target }) => onChange({ ...server, encryption: encryptionOf(target.value) })}
        />
      </div>
      <SettingField
        label="User"
        required={false}
        {...typed('user')}
        hint={provider?.user ?? 'Often your whole email address. Empty where the server asks for none.'}
      />
      <SecretField
        group={group}
        name="password"
        label="Password"
        hint={provider?.password ?? 'The password for sending by SMTP. It is sealed and never shown again.'}
        outdated={isOther(server, group.saved) ? otherServer : undefined}
      />
      {(!provider || provider.dkim.isOwn) && (
        <SettingField
          name="dkim_selector"
          label="DKIM selector (optional)"
          {...plain}
          required={false}
          defaultValue={group.values.dkim_selector}
          hint="What stands before “._domainkey” in the record that your provider asks for. Only to check below that the record is there."
        />
      )}
    </>
  )
}

function encryptionOf(value: string): Server['encryption'] {
  return value === 'tls' || value === 'none' ? value : 'starttls'
}
