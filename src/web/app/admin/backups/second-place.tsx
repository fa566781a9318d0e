// The second place of backups: a bucket. A folder is named by BACKUP_URL.
import { useFetcher } from 'react-router'
import { backupSettings, type PlaceTest } from '#contract/operations/backups.ts'
import type { BackupsApi } from '#domains/operations/backup.routes.ts'
import type { SettingsApi } from '#domains/operations/settings.routes.ts'
import { responseOf } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { ArrowLeft } from '../../../components/further-icons.tsx'
import { Callout } from '../../../components/note.tsx'
import { adminClient, CallButton, showFailure } from '../calls.tsx'
import { CircleCheck, TriangleAlert } from '../icons.tsx'
import { StrongLink } from '../links.tsx'
import {
  defineSettings,
  readSecret,
  SecretField,
  SettingField,
  SettingsForm,
  type FormGroup,
  type SaveResult,
} from '../settings/settings-form.tsx'
import type { Route } from './+types/second-place.ts'

const shown = backupSettings.omit({
  secret_key: true,
  passphrase: true,
  former_passphrases: true,
  is_public_only: true,
})
type Group = FormGroup<(typeof shown)['_output']>

const otherServer =
  'Please enter the secret key for this server and access key. The stored one belongs to another server or key, and is removed when you save.'

function BucketFields({ group }: { group: Group }) {
  if (group.variables['bucket'])
    return (
      <Callout role="note">
        The second place is set by BACKUP_URL in the shop’s environment. To set it here, remove the variable
        there and start the shop again.
      </Callout>
    )
  const plain = (name: Exclude<keyof Group['values'], 'is_hourly'>) => ({
    group,
    name,
    defaultValue: group.values[name],
    autoComplete: 'off',
    spellCheck: false,
  })
  return (
    <>
      <SettingField
        label="Server"
        {...plain('endpoint')}
        required={false}
        inputMode="url"
        placeholder="https://"
        hint="The address that your provider names as endpoint. Empty: Amazon’s."
      />
      <div className="grid gap-x-5 gap-y-6 sm:grid-cols-2">
        <SettingField
          label="Region"
          {...plain('region')}
          hint="For example eu-central-1. Some providers use auto."
        />
        <SettingField
          label="Bucket"
          {...plain('bucket')}
          hint="It should be private, and only for backups."
        />
      </div>
      <SettingField
        label="Folder"
        {...plain('prefix')}
        required={false}
        hint="Each shop needs a folder or a bucket of its own. Empty: the whole bucket."
      />
      <SettingField
        label="Access key"
        {...plain('access_key')}
        hint="Of a key that may list this bucket, and read, write and delete in it, and nothing else."
      />
      <SecretField
        group={group}
        name="secret_key"
        label="Secret key"
        isRemovable={false}
        hint={group.secrets['secret_key'] ? otherServer : 'It is stored encrypted and never shown again.'}
      />
    </>
  )
}

const settings = defineSettings({
  group: 'backups',
  title: 'Second place',
  about:
    'A bucket at any S3-compatible provider, such as Amazon, Backblaze, Hetzner, Cloudflare or Wasabi. The shop copies each backup there, encrypted with your passphrase: the provider cannot read it. All admins are notified by email.',
  schema: shown,
  read: (form) => ({ secret_key: readSecret(form, 'secret_key') }),
  fields: {
    bucket: BucketFields,
    is_hourly: {
      label: 'Also copy what has changed each hour',
      hint: 'If the disk fails, you lose an hour at most. The newest 24 are kept, beside those of the nights.',
    },
  },
})

const api = adminClient<BackupsApi>()
const settingsApi = adminClient<SettingsApi>('Remove it')

type TryResult = { tested: PlaceTest | undefined }

const isTry = (action: string | undefined) => action?.endsWith('?try') === true

export const { clientLoader } = settings

export async function clientAction(args: Route.ClientActionArgs): Promise<SaveResult | TryResult> {
  if (!isTry(args.request.url)) return settings.clientAction(args)
  try {
    return { tested: await responseOf(api.backups.try.$post({ json: {} })) }
  } catch (error) {
    showFailure('Couldn’t try it', error)
    return { tested: undefined }
  }
}

export function shouldRevalidate(args: { actionResult?: unknown; formAction?: string }): boolean {
  return !isTry(args.formAction) && settings.shouldRevalidate(args)
}

export default function SecondPlace({ loaderData: group, actionData }: Route.ComponentProps) {
  if (!group) return <LoadFailed card="Second place" title="The settings could not be loaded" />
  const result = actionData && 'isSaved' in actionData ? actionData : undefined
  const hasBucket = group.values['bucket'] !== ''
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5">
      <BackToBackups />
      <SettingsForm settings={settings} group={group} result={result} />
      {!group.variables['bucket'] && <TryCard hasBucket={hasBucket} />}
      {hasBucket && <RemoveCard revision={group.revision} />}
    </div>
  )
}

export function BackToBackups() {
  return (
    <StrongLink to="/admin/backups" className="flex items-center gap-2 print:hidden">
      <ArrowLeft aria-hidden className="size-4" />
      Backups
    </StrongLink>
  )
}

function TryCard({ hasBucket }: { hasBucket: boolean }) {
  const fetcher = useFetcher<TryResult>()
  const isBusy = fetcher.state !== 'idle'
  return (
    <Card title="Try it" contentClass="grid gap-4 px-5 py-5">
      <p className="max-w-prose text-pretty text-soft">
        {hasBucket
          ? 'The shop writes a small file there, lists it, reads it and deletes it, with the settings as they are saved.'
          : 'Save first. Then the shop tries whether it can write, list, read and delete there.'}
      </p>
      <p>
        <Button
          busy={isBusy}
          look="outline"
          disabled={!hasBucket || isBusy}
          onClick={() => void fetcher.submit(null, { method: 'post', action: '?try' })}
        >
          {isBusy ? 'Trying...' : 'Try it'}
        </Button>
      </p>
      <div role="status">{!isBusy && fetcher.data?.tested && <Outcome test={fetcher.data.tested} />}</div>
    </Card>
  )
}

const failures = {
  write: 'The shop could not write there.',
  list: 'The shop can write there, but not list what is there.',
  read: 'The shop can write and list there, but not read.',
  remove: 'The shop can write and read there, but not delete.',
}

function Outcome({ test: { place, failed, reason, advice } }: { test: PlaceTest }) {
  const Icon = failed ? TriangleAlert : CircleCheck
  return (
    <div className="flex gap-3">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${failed ? 'text-danger' : 'text-success'}`} />
      <div className="grid min-w-0 gap-2">
        <p className="font-semibold break-words">
          {failed ? failures[failed] : `It works: a file was written, listed, read and deleted in ${place}.`}
        </p>
        {advice && <p className="max-w-prose text-pretty">{advice}</p>}
        {reason && (
          <p className="text-sm break-words text-soft">
            The response: <code className="text-ink">{reason}</code>
          </p>
        )}
      </div>
    </div>
  )
}

function RemoveCard({ revision }: { revision: number }) {
  return (
    <Card title="Remove it" contentClass="grid gap-4 px-5 py-5">
      <p className="max-w-prose text-pretty text-soft">
        The shop copies nothing there any more. What is there stays, until you delete it at your provider.
      </p>
      <p>
        <CallButton
          label="Remove the second place"
          question={{ title: 'Remove the second place?', action: 'Remove it', isDanger: true }}
          call={() => removePlace(revision)}
          done={{ title: 'The second place is removed', description: 'Backups are on this machine only.' }}
          failed="Couldn’t remove it"
        >
          Backups are then on this machine only: if its disk fails, they are lost with the shop.
        </CallButton>
      </p>
    </Card>
  )
}

async function removePlace(revision: number): Promise<void> {
  const param = { group: 'backups' } as const
  await responseOf(settingsApi.settings[':group'].$put({ param, json: { revision, values: { bucket: '' } } }))
}
