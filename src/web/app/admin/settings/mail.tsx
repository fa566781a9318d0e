// The settings screen of the mail server and the sender.
import { useState } from 'react'
import { useLoaderData } from 'react-router'
import {
  findProvider,
  isThisMachine,
  mailProviders,
  type MailProvider,
  type MailSettings,
  type MailTest,
} from '#contract/mail/mail-settings.ts'
import { SelectField } from '../../../components/further-fields.tsx'
import { Input, type FieldProps } from '../../schema-fields.tsx'
import {
  defineSettings,
  SecretField,
  SettingsForm,
  type FormGroup,
  type SaveResult,
} from './settings-form.tsx'
import type { MailSetupApi, MailsApi } from '#domains/mail/mails.routes.ts'
import { responseOf } from '../../../api.ts'
import { LoadFailed } from '../../card.tsx'
import { adminClient } from '../calls.tsx'
import { settingValues, type SettingsGroup } from '#contract/settings/settings.ts'
import { storedSession } from '../../../session/session.ts'
import { readDraft } from '../book/draft.ts'
import { toStoredAddress } from '#contract/field-rules.ts'
import { StrongLink, TextLink } from '../links.tsx'
import { readText } from '../../../forms/form.ts'
import { Callout } from '../../../components/note.tsx'
import type { Route } from './+types/mail.ts'
import { TrialCard, TrialOutcome } from './trial-card.tsx'
import { SenderCard } from './sender-card.tsx'

type MailForm = FormGroup<Omit<MailSettings, 'password' | 'is_public_only'>>

const none = 'none'
const other = 'other'
const removed = 'The stored password is for the previous server, and is removed when you save.'
const choices = [
  { value: none, label: 'None: emails are kept, not sent' },
  ...mailProviders.map(({ name }) => ({ value: name, label: name })),
  { value: other, label: 'Another mail server' },
]

function MailServerFields({ form, ...field }: FieldProps<MailForm>) {
  const { host, port, encryption, user } = form.values
  const [server, setServer] = useState({ host, port: String(port), encryption, user })
  const [choice, setChoice] = useState(host === '' ? none : (findProvider(host)?.name ?? other))
  const provider = mailProviders.find(({ name }) => name === choice)

  function choose(value: string) {
    setChoice(value)
    const chosen = mailProviders.find(({ name }) => name === value)
    if (chosen) setServer(serverOf(chosen))
  }

  return (
    <div className="grid gap-6">
      {!form.variables['host'] && (
        <SelectField
          label="Provider"
          value={choice}
          onChange={({ target }) => choose(target.value)}
          options={choices}
          hint={
            choice === none && form.saved.host !== '' && form.secrets['password'] ? removed : provider?.note
          }
        />
      )}
      {choice === none ? (
        <input type="hidden" name="host" value="" />
      ) : (
        <ServerFields {...field} form={form} server={server} provider={provider} onChange={setServer} />
      )}
    </div>
  )
}

type Server = { host: string; port: string; encryption: MailSettings['encryption']; user: string }

function serverOf({ host, port, encryption, fixedUser = '' }: MailProvider): Server {
  return { host, port: String(port), encryption, user: fixedUser }
}

function isOther({ host, port, user }: Server, saved: MailForm['values']): boolean {
  return host.trim() !== saved.host || Number(port) !== saved.port || user.trim() !== saved.user
}

const encryptions = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'opportunistic', label: 'STARTTLS if offered' },
  { value: 'none', label: 'None' },
] as const satisfies { value: MailSettings['encryption']; label: string }[]

/** Mail without encryption is allowed to this machine alone, which only SMTP_PRIVATE_HOSTS lets an admin enter. */
function encryptionsOf({ host, encryption }: Server) {
  const isOffered = { tls: true, starttls: true, opportunistic: false, none: isThisMachine(host.trim()) }
  return encryptions.filter(({ value }) => isOffered[value] || value === encryption)
}

const otherServer =
  'Please enter the password for this server and user. The stored one belongs to another server or user, and is removed when you save.'

type ServerFieldsProps = FieldProps<MailForm> & {
  server: Server
  provider: MailProvider | undefined
  onChange: (server: Server) => void
}

function ServerFields({ form, server, provider, onChange, ...host }: ServerFieldsProps) {
  const input = { type: 'text', spellCheck: false }
  const typed = (path: 'host' | 'port' | 'user') => ({
    form,
    path,
    input: { ...input, required: path !== 'user' },
    typed: server[path],
    onType: (text: string) => onChange({ ...server, [path]: text }),
  })
  return (
    <>
      <div className="grid gap-x-5 gap-y-6 sm:grid-cols-[minmax(0,1fr)_7rem_minmax(0,14rem)]">
        <Input {...host} {...typed('host')} />
        <Input label="Port" {...typed('port')} />
        <Input
          form={form}
          path="encryption"
          label="Encryption"
          hint="Usually TLS with port 465, STARTTLS with port 587."
          options={encryptionsOf(server)}
          typed={server.encryption}
          onType={(chosen) => onChange({ ...server, encryption: encryptionOf(chosen) })}
        />
      </div>
      <Input
        label="User"
        {...typed('user')}
        hint={provider?.user ?? 'Often your whole email address. Empty where the server asks for none.'}
      />
      <SecretField
        form={form}
        path="password"
        label="Password"
        hint={
          provider?.password ??
          'The password for sending by SMTP. It is stored encrypted and never shown again.'
        }
        outdated={isOther(server, form.saved) ? otherServer : undefined}
      />
      {form.saved.host !== '' && (!provider || provider.dkim.isOwn) && (
        <Input
          form={form}
          path="dkim_selector"
          label="DKIM selector (optional)"
          hint="What stands before “._domainkey” in the record that your provider asks for. Only to check below that the record is there."
          input={input}
        />
      )}
    </>
  )
}

function encryptionOf(value: string): Server['encryption'] {
  return encryptions.find((each) => each.value === value)?.value ?? 'starttls'
}

const api = adminClient<MailSetupApi>()
const mailsApi = adminClient<MailsApi>()

function MailTestCard({ hasServer }: { hasServer: boolean }) {
  return (
    <TrialCard
      title="Send me a test"
      busyLabel="Sending..."
      failed="Couldn’t send"
      isReady={hasServer}
      call={() => responseOf(api.mail.test.$post({ json: {} }))}
      renderOutcome={(test) => <TestOutcome test={test} />}
    >
      {hasServer
        ? 'An email to your own address, with the settings as they are saved. You see what the server answers.'
        : 'Choose a provider and save first. Then a test shows whether emails arrive.'}
    </TrialCard>
  )
}

function TestOutcome({ test: { is_accepted, to, answer, advice } }: { test: MailTest }) {
  return (
    <TrialOutcome
      isGood={is_accepted}
      title={is_accepted ? 'The mail server took the email.' : 'The email was not sent.'}
    >
      <p className="text-sm break-words text-soft">
        The server’s response: <code className="text-ink">{answer}</code>
      </p>
      <p className="max-w-prose text-pretty">
        {is_accepted
          ? `Now look into the mailbox of ${to}. It may take a minute; look into the spam folder too.`
          : advice}
      </p>
    </TrialOutcome>
  )
}

function About() {
  const { group } = useLoaderData<typeof clientLoader>()
  const mail = <TextLink to="/admin/mails">Mail</TextLink>
  if (group?.values['host'])
    return (
      <>Receipts, confirmations and messages go out through this mail server, and are listed under {mail}.</>
    )
  return (
    <>
      Receipts, confirmations and messages go out through a mail server of yours. Until one is set, every
      email is kept, and can be read, under {mail}.
    </>
  )
}

const settings = defineSettings({
  group: 'mail',
  title: 'Mail settings',
  about: <About />,
  schema: settingValues.shape.mail.omit({ is_public_only: true }),
  read,
  fields: {
    host: { label: 'Server', as: MailServerFields },
    port: false,
    encryption: false,
    user: false,
    password: false,
    dkim_selector: false,
    from_name: {
      label: 'Sender’s name',
      hint: 'What a mailbox shows beside the subject: you, or your book.',
      beside: 'wide',
    },
    from_address: {
      label: 'Sender’s address',
      hint: 'An address of yours that the mail server may send for.',
      beside: 'wide',
      input: { type: 'email', spellCheck: false },
    },
    bulk_per_hour: {
      label: 'Emails about new editions per hour',
      hint: 'Below what your mail server allows: receipts need room beside them, and always go first.',
    },
  },
})

export async function clientLoader() {
  // The screen does not wait for it: name servers may take seconds.
  const sender = responseOf(api.mail.sender.$get()).catch(() => undefined)
  const [group, sent] = await Promise.all([
    settings.clientLoader(),
    responseOf(mailsApi.mails.$get({ query: { status: 'sent' } })).catch(() => undefined),
  ])
  return {
    group,
    sender,
    sendable: sent?.sendable,
    proposed: group && (await proposeSender(group)),
  }
}

/** Proposes the author, and the address for legal questions or of the account, until a sender is set. */
async function proposeSender({ values, variables }: SettingsGroup) {
  const isOpen = (name: string) => values[name] === '' && !(name in variables)
  if (!isOpen('from_name') && !isOpen('from_address')) return undefined
  const draft = await readDraft().catch(() => undefined)
  const own = draft && (draft.saved || draft.versions.length > 0) ? draft.document : undefined
  const from_name = own?.author.name || own?.legal.blanks.seller
  const from_address = own?.legal.blanks.email || storedSession()?.user.email
  return {
    ...(from_name && isOpen('from_name') && { from_name }),
    ...(from_address && isOpen('from_address') && { from_address }),
  }
}

export async function clientAction(args: Route.ClientActionArgs): Promise<SaveResult> {
  const form = await args.request.clone().formData()
  // Empty, it would mean that there is no mail server.
  if (form.has('port') && readText(form, 'host').trim() === '')
    return { isSaved: false, problems: { host: 'Please enter the name of the server.' } }
  return settings.clientAction(args)
}

function read(form: FormData) {
  const from_address = form.has('from_address') ? toStoredAddress(readText(form, 'from_address')) : undefined
  return { from_address }
}

export const { shouldRevalidate } = settings

export default function MailSettings({ loaderData, actionData }: Route.ComponentProps) {
  const { group, sender, sendable, proposed } = loaderData
  if (!group) return <LoadFailed card="Mail" title="The settings could not be loaded" />
  const hasServer = group.values['host'] !== ''
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <SettingsForm settings={settings} group={group} result={actionData} proposed={proposed} />
      {sendable && <UnsentNote count={sendable.count} />}
      <MailTestCard hasServer={hasServer} />
      {hasServer && <SenderCard sender={sender} />}
    </div>
  )
}

function UnsentNote({ count }: { count: number }) {
  return (
    <Callout role="note">
      {count === 1 ? 'One email is' : `${count} emails are`} unsent, from before mail was set up.{' '}
      <StrongLink to="/admin/mails?status=unsent">See what can be sent now</StrongLink>
    </Callout>
  )
}
