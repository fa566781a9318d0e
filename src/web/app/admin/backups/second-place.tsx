// The second place of backups: a bucket. A folder is named by BACKUP_URL.
import { backupSettings, type PlaceTest } from '#contract/backup/second-place.ts'
import type { BackupsApi } from '#domains/backup/backup.routes.ts'
import type { SettingsApi } from '#domains/settings/settings.routes.ts'
import { responseOf } from '../../../api.ts'
import { Card, LoadFailed } from '../../card.tsx'
import { ArrowLeft } from '../../../components/further-icons.tsx'
import { Callout } from '../../../components/note.tsx'
import { adminClient, CallButton } from '../calls.tsx'
import { StrongLink } from '../links.tsx'
import { keyWords } from '../../key-words.ts'
import type { FieldProps } from '../../schema-fields.tsx'
import { defineSettings, SecretField, SettingsForm, type FormGroup } from '../settings/settings-form.tsx'
import { TrialCard, TrialOutcome } from '../settings/trial-card.tsx'
import type { Route } from './+types/second-place.ts'

/** The schema takes an empty one: it removes the second place. */
const technical = { required: true, spellCheck: false }

const otherServer =
  'Please enter the secret key for this server and access key. The stored one belongs to another server or key, and is removed when you save.'

const settings = defineSettings({
  group: 'backups',
  title: 'Second place',
  about:
    'A bucket at any S3-compatible provider, such as Amazon, Backblaze, Hetzner, Cloudflare or Wasabi. The shop copies each backup there, encrypted with your passphrase: the provider cannot read it. All admins are notified by email.',
  schema: backupSettings.omit({ passphrase: true, former_passphrases: true, is_public_only: true }),
  fields: {
    endpoint: {
      label: 'Server',
      hint: 'The address that your provider names as endpoint. Empty: Amazon’s.',
      input: { inputMode: 'url', spellCheck: false, placeholder: 'https://' },
    },
    region: {
      label: 'Region',
      hint: 'For example eu-central-1. Some providers use auto.',
      beside: 'wide',
      input: technical,
    },
    bucket: {
      label: 'Bucket',
      hint: 'It should be private, and only for backups.',
      beside: 'wide',
      input: technical,
    },
    prefix: {
      label: 'Folder',
      hint: 'Each shop needs a folder or a bucket of its own. Empty: the whole bucket.',
      input: { spellCheck: false },
    },
    access_key: {
      label: 'Access key',
      hint: 'Of a key that may list this bucket, and read, write and delete in it, and nothing else.',
      input: technical,
    },
    secret_key: { label: 'Secret key', as: SecretKey },
    is_hourly: {
      label: 'Also copy what has changed each hour',
      hint: 'If the disk fails, you lose an hour at most. The newest 24 are kept, beside those of the nights.',
    },
  },
})

function SecretKey(props: FieldProps<FormGroup<unknown>>) {
  const hint = props.form.secrets[props.path] ? otherServer : 'It is stored encrypted and never shown again.'
  return <SecretField {...props} {...keyWords} isRemovable={false} hint={hint} />
}

const api = adminClient<BackupsApi>()
const settingsApi = adminClient<SettingsApi>('Remove it')

export const { clientLoader, clientAction, shouldRevalidate } = settings

export default function SecondPlace({ loaderData: group, actionData }: Route.ComponentProps) {
  if (!group) return <LoadFailed card="Second place" title="The settings could not be loaded" />
  const hasBucket = group.values['bucket'] !== ''
  const isFixed = group.variables['bucket'] !== undefined
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5">
      <BackToBackups />
      <SettingsForm
        settings={settings}
        group={group}
        result={actionData}
        paths={isFixed ? ['is_hourly'] : undefined}
      >
        {isFixed && (
          <Callout role="note">
            The second place is set by BACKUP_URL in the shop’s environment. To set it here, remove the
            variable there and start the shop again.
          </Callout>
        )}
      </SettingsForm>
      {!isFixed && <TryCard hasBucket={hasBucket} />}
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
  return (
    <TrialCard
      title="Try it"
      busyLabel="Trying..."
      failed="Couldn’t try it"
      isReady={hasBucket}
      call={() => responseOf(api.backups.try.$post({ json: {} }))}
      renderOutcome={(test) => <Outcome test={test} />}
    >
      {hasBucket
        ? 'The shop writes a small file there, lists it, reads it and deletes it, with the settings as they are saved.'
        : 'Save first. Then the shop tries whether it can write, list, read and delete there.'}
    </TrialCard>
  )
}

const failures = {
  write: 'The shop could not write there.',
  list: 'The shop can write there, but not list what is there.',
  read: 'The shop can write and list there, but not read.',
  remove: 'The shop can write and read there, but not delete.',
}

function Outcome({ test: { place, failed, reason, advice } }: { test: PlaceTest }) {
  const works = `It works: a file was written, listed, read and deleted in ${place}.`
  return (
    <TrialOutcome isGood={!failed} title={failed ? failures[failed] : works}>
      {advice && <p className="max-w-prose text-pretty">{advice}</p>}
      {reason && (
        <p className="text-sm break-words text-soft">
          The response: <code className="text-ink">{reason}</code>
        </p>
      )}
    </TrialOutcome>
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
