// The screen of the author’s free copies.
import { useEffect, useId, useRef, useState } from 'react'
import type { GrantsApi } from '#domains/delivery/grants.routes.ts'
import {
  type GrantCheck,
  type GrantRequest,
  type GrantSending,
  type GrantsSent,
  grantRequest,
  maxRecipients,
} from '#contract/delivery/gifts.ts'
import { ProblemError, responseOf } from '../../../api.ts'
import { failure } from '../../../notices/send.ts'
import { toast } from '../../../notices/toasts.tsx'
import { formatCount } from '../../../format/format.tsx'
import { Callout } from '../../../components/note.tsx'
import { Button } from '../../../components/button.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import {
  BadRows,
  countEmails,
  notMailedLabels,
  Recipients,
  type OutcomeLabels,
  ListFile,
  GiftList,
  isMailed,
  SentGifts,
} from './gift-list.tsx'
import { adminClient, load, useLastLoaded, useAdminCall } from '../calls.tsx'
import { EmailPreview } from '../email-preview.tsx'
import { isProofMissing } from '../../proof-dialog.tsx'
import type { AdminProduct } from '#contract/catalog/products.ts'
import { Input, type FieldProps } from '../../schema-fields.tsx'
import { SchemaForm, type SentForm } from '../../schema-form.tsx'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/gifts.ts'

const checkedApi = adminClient<GrantsApi>('Send')

type CheckedGrantsProps = Pick<Checked, 'request' | 'check'> & {
  onBack: () => void
  onSent: (sent: GrantsSent) => void
}

function CheckedGrants({ request, check, onBack, onSent }: CheckedGrantsProps) {
  const heading = useRef<HTMLParagraphElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [mailsAgain, setMailsAgain] = useState(false)
  useEffect(() => heading.current?.focus(), [])
  const { recipients, bad_rows, mail, is_mail_unsent } = check
  const before = countOutcome(check, 'given_before')
  const added = countOutcome(check, 'new')
  const count = added + (mailsAgain ? before : 0)

  async function send() {
    setIsBusy(true)
    const sent = await sendGrants({ ...request, mails_again: mailsAgain })
    setIsBusy(false)
    if (sent) onSent(sent)
  }
  return (
    <Card title="Before it is sent" contentClass="grid gap-6 p-5">
      <div className="grid gap-2.5">
        <p ref={heading} tabIndex={-1} className="font-semibold">
          {count === 0
            ? 'Nobody on this list gets anything.'
            : `${countEmails(count)} will be ${is_mail_unsent ? 'kept' : 'sent'}.`}
        </p>
        {is_mail_unsent && count > 0 && <KeptNotice />}
      </div>
      <BadRows rows={bad_rows} />
      {/* A kept mail need not be kept twice. */}
      {before > 0 && !is_mail_unsent && (
        <MailAgain count={before} isChosen={mailsAgain} onChange={setMailsAgain} />
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <EmailPreview preview={mail} sendsMail={!is_mail_unsent} />
        <Recipients recipients={recipients} labels={labelsFor(mailsAgain)} />
      </div>
      <p className="flex flex-wrap gap-3">
        <Button disabled={isBusy || count === 0} onClick={() => void send()}>
          {isBusy ? 'Sending...' : `${is_mail_unsent ? 'Give, and keep' : 'Send'} ${countEmails(count)}`}
        </Button>
        <Button look="outline" disabled={isBusy} onClick={onBack}>
          Change something
        </Button>
      </p>
    </Card>
  )
}

function countOutcome({ recipients }: GrantCheck, grantCheck: GrantCheck['recipients'][number]['outcome']) {
  return recipients.filter(({ outcome }) => outcome === grantCheck).length
}

const labelsFor = (mailsAgain: boolean): OutcomeLabels => ({
  ...notMailedLabels,
  new: 'gets it',
  mailed_again: 'gets the email again',
  ...(mailsAgain && { given_before: 'gets the email again' }),
})

function KeptNotice() {
  return (
    <Callout>
      The shop does not send email yet. The copies are given at once, and their emails are kept: when mail is
      set up, send them under Mail.
    </Callout>
  )
}

type MailAgainProps = { count: number; isChosen: boolean; onChange: (isChosen: boolean) => void }

function MailAgain({ count, isChosen, onChange }: MailAgainProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        className="mt-1 size-5 shrink-0 accent-ink"
        checked={isChosen}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id} className="cursor-pointer text-pretty">
        Send the email again to{' '}
        {count === 1 ? 'the one who got this before' : `the ${formatCount(count)} who got this before`},
        unless it went out in the last ten minutes
      </label>
    </div>
  )
}

async function sendGrants(sending: GrantSending): Promise<GrantsSent | undefined> {
  try {
    return await responseOf(checkedApi.gifts.$post({ json: sending }))
  } catch (error) {
    const isRefused = error instanceof ProblemError && error.status < 500
    if (!isProofMissing(error)) toast(isRefused ? failure('Couldn’t send', error) : uncertain)
    return undefined
  }
}

const uncertain = {
  title: 'No response',
  description: 'Some may have got it. Send the same list again: nobody gets it twice.',
  destructive: true,
}

const grantForm = grantRequest.extend({
  list: grantRequest.shape.list.refine((list) => list.trim() !== '', 'Please fill in this field.'),
})

/** `markSent`: what is in the form was sent, also where the form stays for the addresses that were left out. */
type Checked = { request: GrantRequest; check: GrantCheck; markSent: () => void }

type GrantFormProps = {
  products: readonly AdminProduct[]
  onChecked: (checked: Checked) => void
}

function GrantForm({ products, onChecked }: GrantFormProps) {
  const [, run] = useAdminCall()
  async function check(request: GrantRequest, markSent: () => void) {
    const checkList = async () =>
      onChecked({ request, check: await responseOf(api.gifts.check.$post({ json: request })), markSent })
    const result = await run(checkList, { failed: 'Couldn’t check the list' })
    return result.isSaved ? undefined : result
  }
  return (
    <Card title="Give free copies">
      <SchemaForm
        schema={grantForm}
        fields={{
          product_id: { label: 'Product', options: deliverable(products) },
          list: {
            label: 'To',
            hint: `One address a line, or a table with the columns email and name; ${maxRecipients} addresses at most. Nobody gets the same twice.`,
            rows: 6,
            input: { spellCheck: false },
            as: RecipientsInput,
          },
          message: {
            label: 'Your words (optional)',
            hint: 'Shown at the top of the email.',
            rows: 4,
          },
        }}
        className="p-5"
        button="Preview the email"
        busyButton="Checking..."
        send={check}
      />
    </Card>
  )
}

function RecipientsInput(props: FieldProps<SentForm>) {
  const [list, setList] = useState('')
  return (
    <div className="grid gap-5">
      <Input {...props} typed={list} onType={setList} />
      <ListFile
        isReplacing={list.trim() !== ''}
        onText={(text) => {
          setList(text)
          props.form.markChanged()
        }}
      />
    </div>
  )
}

const deliverable = (products: readonly AdminProduct[]) =>
  products
    .filter(({ delivery_gap, archived_at }) => !delivery_gap && !archived_at)
    .map(({ id, name }) => ({ value: id, label: name }))

const api = adminClient<GrantsApi>()
const productsApi = adminClient<AdminProductsApi>()

export function clientLoader() {
  return load('Failed to fetch the free copies', async () => {
    const [gifts, products] = await Promise.all([
      responseOf(api.gifts.$get()),
      responseOf(productsApi.products.$get()),
    ])
    return { gifts, products }
  })
}

export default function Gifts({ loaderData }: Route.ComponentProps) {
  const match = useLastLoaded(loaderData)
  const { revalidate } = useRevalidator()
  const [checked, setChecked] = useState<Checked>()
  const [sent, setSent] = useState<GrantsSent>()
  /** Counts the lists that were sent: each begins with an empty form. */
  const [round, setRound] = useState(0)
  if (!match) return <LoadFailed card="Free copies" title="The free copies could not be loaded" />
  const { gifts, products } = match
  return (
    <div className="grid gap-6">
      <div hidden={checked !== undefined || sent !== undefined}>
        <GrantForm key={round} products={products} onChecked={setChecked} />
      </div>
      {checked && (
        <CheckedGrants
          request={checked.request}
          check={checked.check}
          onBack={() => setChecked(undefined)}
          onSent={(result) => {
            checked.markSent()
            setChecked(undefined)
            setSent(result)
            if (isComplete(result)) setRound(round + 1)
            void revalidate()
          }}
        />
      )}
      {sent && (
        <SentGifts
          sent={sent}
          onBack={isComplete(sent) ? undefined : () => setSent(undefined)}
          onDone={() => {
            setSent(undefined)
            setRound(round + 1)
          }}
        />
      )}
      <GiftList gifts={gifts} />
    </div>
  )
}

function isComplete({ recipients, bad_rows }: GrantsSent): boolean {
  return bad_rows.length === 0 && recipients.every(({ outcome }) => isMailed(outcome))
}
