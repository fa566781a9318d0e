// The screen of the webhook: its receiver and its secret, what is sent, a test, and what came of each delivery.
import { useState, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import {
  webhookChange,
  type ChangedWebhook,
  type Delivery,
  type DeliveryList,
  type DeliveryQuery,
  type DeliveryStatus,
  type Webhook,
  type WebhookEvent,
  type WebhookState,
} from '#contract/mail/webhook.ts'
import { manualPath } from '#contract/overview/manual.ts'
import type { WebhookApi } from '#domains/settings/webhook.routes.ts'
import { responseOf } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Badge, Callout, Note, type BadgeLook } from '../../../components/note.tsx'
import { formatMoment, Time } from '../../../format/format.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { SchemaForm } from '../../schema-form.tsx'
import { adminClient, CallButton, loadPage, useAdminCall, useLastLoaded, useRefresh } from '../calls.tsx'
import { Plug } from '../icons.tsx'
import { TextLink } from '../links.tsx'
import { TableCard } from '../list-screen.tsx'
import { TrialCard, TrialOutcome } from './trial-card.tsx'
import type { Route } from './+types/webhook.ts'

const api = adminClient<WebhookApi>('Save').webhook

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch the webhook', request, (query: DeliveryQuery) => api.$get({ query }))
}

export default function WebhookScreen({ loaderData }: Route.ComponentProps) {
  const page = useLastLoaded(loaderData)
  if (!page) return <LoadFailed card="Webhook" title="The webhook could not be loaded" />
  return <WebhookCards page={page} />
}

/** What waits is sent within a minute. */
const refreshMs = 10_000

function WebhookCards({ page }: { page: DeliveryList }) {
  const [secret, setSecret] = useState<string | null>(null)
  const { webhook, items, next } = page
  const isSet = webhook.state !== 'none'
  useRefresh(
    items.some(({ status }) => status === 'waiting'),
    refreshMs,
  )
  const show = ({ signing_secret }: ChangedWebhook) => setSecret(signing_secret)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Card title="Webhook" action={<StateBadge state={webhook.state} />} contentClass="grid gap-4 px-5 py-5">
        <State webhook={webhook} />
        {secret && isSet && <NewSecret secret={secret} />}
        {isSet && <Changes webhook={webhook} onChanged={show} onRemoved={() => setSecret(null)} />}
      </Card>
      {!isSet && <ReceiverForm isSet={isSet} onSaved={show} />}
      {isSet && <TestCard webhook={webhook} />}
      {(isSet || items.length > 0) && (
        <TableCard
          title="Deliveries"
          label="Deliveries"
          page={{ items, next }}
          failed="The deliveries could not be loaded"
          rowKey={({ id }) => id}
          columns={columns}
          empty={
            <Note icon={Plug} title="Nothing was sent yet">
              Orders that are paid, and who joins or leaves your letters, are here within a minute.
            </Note>
          }
        />
      )}
      <Card title="What is sent" contentClass="grid gap-4 px-5 py-5">
        <WhatIsSent />
      </Card>
      {isSet && <ReceiverForm isSet={isSet} onSaved={show} />}
    </div>
  )
}

const states: Record<WebhookState, { label: string; look: BadgeLook }> = {
  none: { label: 'not set up', look: 'plain' },
  on: { label: 'on', look: 'highlighted' },
  copy: { label: 'off', look: 'toned' },
  locked: { label: 'off', look: 'danger' },
  gone: { label: 'off', look: 'danger' },
  restored: { label: 'off', look: 'danger' },
}

function StateBadge({ state }: { state: WebhookState }) {
  const { label, look } = states[state]
  return <Badge look={look}>{label}</Badge>
}

function State({ webhook }: { webhook: Webhook }) {
  const { state, host, changed_at, changed_by, former_secret_until } = webhook
  if (state === 'none')
    return (
      <p className="max-w-prose text-pretty">
        The shop can tell another program of each order, and of who joins or leaves{' '}
        <TextLink to="/admin/settings/letters">your letters</TextLink>: Zapier, Make or n8n pass it on to your
        mail program. <TextLink to={manualPath('webhook')}>How to set it up</TextLink>
      </p>
    )
  return (
    <>
      <p className="max-w-prose text-pretty wrap-anywhere">
        {stateTexts[state]} <span className="text-soft">Receiver:</span>{' '}
        <span className="font-semibold">{host}</span>
      </p>
      {former_secret_until && (
        <p className="max-w-prose text-sm text-pretty text-soft">
          The secret before also counts, until {formatMoment(former_secret_until)}.
        </p>
      )}
      {changed_at && (
        <p className="text-sm break-words text-soft">
          Last changed by {changed_by} on <Time at={changed_at} />
        </p>
      )}
    </>
  )
}

const stateTexts: Record<Exclude<WebhookState, 'none'>, string> = {
  on: 'What happens is sent within a minute. Where the receiver does not take it, the shop tries again for three days.',
  copy: 'This is a copy of the shop, so it sends nothing. Once this is the shop, say so under Needs attention.',
  locked:
    'The address cannot be opened any more, because the shop has another AUTH_SECRET. Nothing is sent until you enter the address again.',
  gone: 'The receiver answered that it is gone (410), so the shop sends nothing any more. Switch it on again, or enter another address.',
  restored:
    'The shop was restored from a backup, and the one before may run on. Nothing is sent until you switch it on again. What happened since the backup is not sent: compare your list by its CSV.',
}

function NewSecret({ secret }: { secret: string }) {
  return (
    <Callout role="status" className="grid gap-3">
      <p>
        This is the secret with which the receiver checks what it gets. It is shown once: copy it now. A
        receiver that checks nothing does not need it.
      </p>
      <p className="flex flex-wrap items-center gap-3">
        <code className="min-w-0 text-base wrap-anywhere select-all">{secret}</code>
        <CopyButton
          label="Copy"
          name="Copy the secret"
          text={secret}
          copied={{ title: 'Copied', description: 'Paste it where your receiver asks for a signing secret.' }}
          notCopied={{ title: 'Not copied', description: 'Please select and copy it yourself.' }}
        />
      </p>
    </Callout>
  )
}

type ChangesProps = {
  webhook: Webhook
  onChanged: (changed: ChangedWebhook) => void
  onRemoved: () => void
}

function Changes({ webhook: { state, host }, onChanged, onRemoved }: ChangesProps) {
  const isOff = state === 'gone' || state === 'restored'
  return (
    <p className="flex flex-wrap gap-2 max-sm:*:grow">
      {isOff && <SwitchOn />}
      {state === 'on' && (
        <CallButton
          label="New secret"
          call={async () => onChanged(await responseOf(api.secret.$post({ json: {} })))}
          done={{ title: 'There is a new secret', description: 'The one before also counts for a day.' }}
          failed="Couldn’t make it"
          question={{ title: 'Make a new secret?', action: 'Make it' }}
        >
          For a day, each delivery is signed with both, so that you can enter the new one at the receiver.
        </CallButton>
      )}
      <CallButton
        label="Remove"
        look="quiet"
        name="Remove the webhook"
        call={async () => {
          await responseOf(api.$delete({ json: {} }))
          onRemoved()
        }}
        done={{ title: 'The webhook is removed', description: 'Nothing is sent any more.' }}
        failed="Couldn’t remove it"
        question={{ title: 'Remove the webhook?', action: 'Remove it', isDanger: true }}
      >
        {`Nothing is sent to ${host} any more, and what waits is not sent either. The shop forgets address and secret.`}
      </CallButton>
    </p>
  )
}

function SwitchOn() {
  const [isBusy, run] = useAdminCall()
  const press = () =>
    void run(() => responseOf(api.$put({ json: {} })), {
      done: { title: 'The webhook is on', description: 'What happens from now on is sent.' },
      failed: 'Couldn’t switch it on',
    })
  return (
    <Button disabled={isBusy} busy={isBusy} onClick={press}>
      Switch on again
    </Button>
  )
}

const receiver = webhookChange.pick({ url: true }).required()

type ReceiverProps = { isSet: boolean; onSaved: (changed: ChangedWebhook) => void }

function ReceiverForm({ isSet, onSaved }: ReceiverProps) {
  const [, run] = useAdminCall()
  const save = (json: z.output<typeof receiver>) =>
    run(async () => onSaved(await responseOf(api.$put({ json }))), {
      done: { title: 'The webhook is on', description: 'Send a test next. All admins get an email.' },
      failed: 'Couldn’t save',
      isSaidAtFields: true,
    })
  return (
    <Card title={isSet ? 'Another receiver' : 'Receiver'}>
      <SchemaForm
        schema={receiver}
        fields={{
          url: {
            label: 'Address',
            hint: 'As the receiver shows it. Whoever knows it can write to your receiver, so it is stored encrypted and never shown again.',
            input: { inputMode: 'url', spellCheck: false, autoComplete: 'off', placeholder: 'https://' },
          },
        }}
        className="p-5"
        button={isSet ? 'Send there from now on' : 'Switch on'}
        busyButton="Checking..."
        send={save}
      />
    </Card>
  )
}

const eventTexts: Record<WebhookEvent, { title: string; text: ReactNode }> = {
  'subscriber.confirmed': {
    title: 'Somebody joins your letters',
    text: 'Address, language, where and when it was confirmed, and the order that it came with.',
  },
  'subscriber.ended': { title: 'Somebody leaves them', text: 'The address.' },
  'order.paid': {
    title: 'An order is paid',
    text: 'Number, format, amount, currency, country, discount code, and whether it is a test. The address only where its owner was on your list by then, and still is.',
  },
  'order.refunded': { title: 'A refund', text: 'The same, the amount, and whether it is the whole.' },
  'webhook.test': { title: 'A test', text: 'When you press Send a test.' },
}

function WhatIsSent() {
  return (
    <>
      <dl className="grid max-w-prose gap-x-6 gap-y-3 max-sm:gap-y-0.5 sm:grid-cols-[max-content_minmax(0,1fr)]">
        {Object.entries(eventTexts).map(([event, { title, text }]) => (
          <div key={event} className="contents">
            <dt>
              <code className="text-sm">{event}</code>
            </dt>
            <dd className="max-sm:mb-3">
              <span className="font-semibold">{title}.</span> <span className="text-soft">{text}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="max-w-prose text-sm text-pretty text-soft">
        Names, postal addresses, and addresses of who did not confirm never leave the shop this way. Free
        copies are not sent. Where the receiver is another company, your privacy policy has to name it.
      </p>
    </>
  )
}

function TestCard({ webhook: { state, host } }: { webhook: Webhook }) {
  const { revalidate } = useRevalidator()
  async function send() {
    const test = await responseOf(api.test.$post({ json: {} }))
    // It is in the list below, and may have switched the webhook off.
    await revalidate()
    return test
  }
  return (
    <TrialCard
      title="Send a test"
      busyLabel="Sending..."
      failed="Couldn’t send it"
      isReady={state === 'on'}
      call={send}
      renderOutcome={(test) => <TestOutcome test={test} host={host} />}
    >
      {state === 'on'
        ? `The shop sends a test to ${host} at once, and says what it answered.`
        : 'A test can be sent once the webhook is on.'}
    </TrialCard>
  )
}

function TestOutcome({ test: { status, error }, host }: { test: Delivery; host: string }) {
  const isGood = status === 'delivered'
  return (
    <TrialOutcome isGood={isGood} title={isGood ? `${host} has taken it.` : `${host} has not taken it.`}>
      {error && <p className="text-sm break-words text-soft">{error}</p>}
    </TrialOutcome>
  )
}

const statuses: Record<DeliveryStatus, { label: string; look: BadgeLook }> = {
  waiting: { label: 'waiting', look: 'toned' },
  delivered: { label: 'delivered', look: 'highlighted' },
  dropped: { label: 'not sent', look: 'plain' },
  failed: { label: 'given up', look: 'danger' },
}

const columns = [
  {
    title: 'Event',
    cell: ({ event, id }: Delivery) => (
      <span className="grid min-w-0 gap-0.5 max-sm:justify-items-end">
        <code className="text-sm">{event}</code>
        <span className="text-xs wrap-anywhere text-soft">{id}</span>
      </span>
    ),
  },
  { title: 'Happened', isOneLine: true, cell: ({ created_at }: Delivery) => <Time at={created_at} /> },
  {
    title: 'Attempts',
    cell: ({ attempts, attempted_at }: Delivery) =>
      attempted_at ? (
        <span className="grid gap-0.5">
          {attempts}
          <span className="text-xs text-soft sm:whitespace-nowrap">
            <Time at={attempted_at} />
          </span>
        </span>
      ) : (
        '–'
      ),
  },
  {
    title: 'Status',
    cell: ({ status, error }: Delivery) => (
      <span className="grid justify-items-start gap-1 max-sm:justify-items-end">
        <Badge look={statuses[status].look}>{statuses[status].label}</Badge>
        {error && status !== 'dropped' && <span className="text-sm break-words text-soft">{error}</span>}
        {status === 'dropped' && (
          <span className="text-sm text-soft">
            It was not to be said any more, or the webhook was off, led elsewhere, or could send nothing.
          </span>
        )}
      </span>
    ),
  },
]
