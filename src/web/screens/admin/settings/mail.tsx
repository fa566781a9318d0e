import type { MailSetupApi } from '#domains/mail/mail-setup.routes.ts'
import type { KeptMailsApi } from '#domains/mail/mails.routes.ts'
import { settingValues } from '#contract/operations/setting-groups.ts'
import { toStoredAddress } from '#contract/email-address.ts'
import { StrongLink, TextLink } from '../text-link.tsx'
import { responseOf } from '../../../api.ts'
import { readText } from '../../../form.ts'
import { Callout } from '../../../components/callout.tsx'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { adminClient } from '../admin-client.ts'
import type { Route } from './+types/mail.ts'
import { MailServerFields } from './mail-server-fields.tsx'
import { isTest, MailTestCard, sendTest, type TestResult } from './mail-test-card.tsx'
import { isToBeLoaded, loadGroup, saveGroup, type SaveResult } from './save-group.ts'
import { SenderCard } from './sender-card.tsx'
import { readSecret, SettingField } from './setting-fields.tsx'
import { SettingsForm, type FormGroup } from './settings-form.tsx'

const schema = settingValues.shape.mail.omit({ is_public_only: true })
const shown = schema.omit({ password: true })
const api = adminClient<MailSetupApi>()
const keptApi = adminClient<KeptMailsApi>()

export async function clientLoader() {
  // Not waited for: name servers may take seconds.
  const sender = responseOf(api.mail.sender.$get()).catch(() => undefined)
  const [found, kept] = await Promise.all([
    loadGroup('mail'),
    responseOf(keptApi.mails.$get({ query: {} })).catch(() => undefined),
  ])
  return { found, sender, sendable: kept?.sendable }
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<SaveResult | TestResult> {
  if (isTest(request.url)) return sendTest()
  const form = await request.clone().formData()
  // Empty, it would mean that there is no mail server.
  if (form.has('port') && readText(form, 'host').trim() === '')
    return { isSaved: false, problems: { host: 'Please enter the name of the server.' } }
  return saveGroup({ group: 'mail', schema, read }, request)
}

function read(form: FormData) {
  const from_address = form.has('from_address') ? toStoredAddress(readText(form, 'from_address')) : undefined
  return { from_address, password: readSecret(form, 'password') }
}

export function shouldRevalidate(args: { actionResult?: unknown; formAction?: string }): boolean {
  return !isTest(args.formAction) && isToBeLoaded(args)
}

export default function MailSettings({ loaderData, actionData }: Route.ComponentProps) {
  const { found, sender, sendable } = loaderData
  if (!found) return <LoadFailed card="Mail" title="The settings could not be loaded" />
  const saved = shown.parse(found.values)
  const result = actionData && 'isSaved' in actionData ? actionData : undefined
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <SettingsForm
        title="Mail"
        about={
          <>
            Receipts, confirmations and messages go out through a mail server of yours. Until one is set,
            every email is kept, and can be read, under <TextLink to="/admin/mails">Emails</TextLink>.
          </>
        }
        found={found}
        schema={shown}
        result={result}
      >
        {(group) => (
          <>
            <MailServerFields group={group} />
            <SenderFields group={group} />
            <SettingField
              group={group}
              name="bulk_per_hour"
              label="Emails about new editions in an hour"
              type="number"
              min={1}
              max={100_000}
              inputMode="numeric"
              defaultValue={group.values.bulk_per_hour}
              hint="Below what your mail server allows: receipts need room beside them, and always go first."
            />
          </>
        )}
      </SettingsForm>
      {sendable && <KeptNote count={sendable.count} />}
      <MailTestCard hasServer={saved.host !== ''} />
      {saved.host !== '' && <SenderCard sender={sender} />}
    </div>
  )
}

function KeptNote({ count }: { count: number }) {
  return (
    <Callout role="note">
      {count === 1 ? 'One email was' : `${count} emails were`} kept before mail was set up.{' '}
      <StrongLink to="/admin/mails">See what can be sent now</StrongLink>
    </Callout>
  )
}

function SenderFields({ group }: { group: FormGroup<{ from_name: string; from_address: string }> }) {
  const { from_name, from_address } = group.values
  return (
    <div className="grid gap-x-5 gap-y-6 sm:grid-cols-2">
      <SettingField
        group={group}
        name="from_name"
        label="Sender’s name"
        required={false}
        autoComplete="off"
        defaultValue={from_name}
        hint="What a mailbox shows beside the subject: you, or your book."
      />
      <SettingField
        group={group}
        name="from_address"
        label="Sender’s address"
        type="email"
        required={false}
        autoComplete="off"
        spellCheck={false}
        defaultValue={from_address}
        hint="An address of yours that the mail server may send for."
      />
    </div>
  )
}
