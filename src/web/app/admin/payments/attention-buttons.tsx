import { dismissal, type DismissableKind, type AttentionItemOf } from '#contract/payments/needs-attention.ts'
import type { AttentionApi } from '#domains/operations/attention.routes.ts'
import type { WithdrawalsApi } from '#domains/payments/withdrawals.routes.ts'
import { refusalRequest } from '#contract/orders/withdrawals.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { refundsTexts } from '#words/refunds.ts'
import { responseOf } from '../../../api.ts'
import { formatMoney } from '../../../format.tsx'
import { TextField } from '../../../components/field.tsx'
import { useCurrency } from '../../../shop.ts'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'
import { DialogFormButton } from '../action-form.tsx'

const api = adminClient<AttentionApi>().payments
const withdrawals = adminClient<WithdrawalsApi>().payments.withdrawal[':id']
const refunds = adminClient<WithdrawalsApi>('Refund').payments.withdrawal[':id']
const unproven = adminClient<WithdrawalsApi>('Accept').payments.unproven_withdrawal[':id']
const failed = 'Couldn’t do that'

export const heldAccepted = {
  title: 'Accepted as paid',
  description: 'The purchase is completed at the amount that was paid, and the receipt is on its way.',
}
export const refundSent = () => ({ title: 'Refund on its way', description: refundsTexts.duration })

export function HeldButtons({ need }: { need: AttentionItemOf<'held'> }) {
  const { id, paid, email } = need
  const isInCurrency = paid?.currency === useCurrency()
  const param = { id }
  if (need.is_going_back) return <p className="text-sm text-soft">The refund is on its way.</p>
  const sum = paid && formatMoney(paid.total, paid.currency)
  return (
    <>
      <CallButton
        label="Check again"
        call={() => responseOf(api.held[':id'].check.$post({ param }))}
        done={({ status }) => {
          if (!status) return { title: 'Nothing has changed', description: 'Stripe still reports the same.' }
          return status === 'canceled'
            ? {
                title: 'Purchase Canceled',
                description: 'Its checkout ended unpaid, or the money was refunded.',
              }
            : {
                title: 'Purchase completed',
                description: 'The payment matches now. The buyer has the receipt.',
              }
        }}
        failed={failed}
      />
      {isInCurrency && (
        <CallButton
          label="Accept as paid"
          question={{ title: `Accept ${sum}?`, action: 'Accept as paid' }}
          call={() => api.held[':id'].accept.$post({ param })}
          done={heldAccepted}
          failed={failed}
        >
          The purchase is completed at the amount that was paid, {sum}, and {email} gets the book and the
          receipt.
        </CallButton>
      )}
      {paid && (
        <CallButton
          label="Refund the buyer"
          question={{ title: `Refund ${sum}?`, action: 'Refund', isDanger: true }}
          call={() => api.held[':id'].refund.$post({ param })}
          done={{
            title: 'Refund on its way',
            description: 'It leaves this list once Stripe has processed it, and the buyer gets an email.',
          }}
          failed={failed}
        >
          The full amount goes back to the card or account it came from, the purchase is canceled, and {email}{' '}
          gets an email about it.
        </CallButton>
      )}
    </>
  )
}

export function RetryButton({ need: { kind, id } }: { need: AttentionItemOf<'mail' | 'event'> }) {
  return (
    <CallButton
      label={kind === 'mail' ? 'Send again' : 'Try again'}
      call={() => api[kind][':id'].again.$post({ param: { id } })}
      done={{ title: 'Retrying', description: 'If it fails for good again, it comes back here.' }}
      failed={failed}
    />
  )
}

export function WithdrawalButtons({ need }: { need: AttentionItemOf<'withdrawal'> }) {
  const { id, email, amount, currency, binding } = need
  const param = { id }
  return (
    <>
      <CallButton
        label="Refund the buyer"
        question={{ title: `Refund ${formatMoney(amount, currency)}?`, action: 'Refund', isDanger: true }}
        call={() => refunds.refund.$post({ param, json: {} })}
        done={refundSent}
        failed="Couldn’t refund"
      >
        The rest of the payment goes back to the card or account it came from, and {email} gets an email about
        it.
      </CallButton>
      {binding === null && (
        <DialogFormButton
          button={{ look: 'quiet', children: 'Refuse' }}
          title="Refuse the refund?"
          about={`Neither your refund promise nor the right of withdrawal covers this purchase. ${email} gets your answer by email and keeps the purchase.`}
          action="Refuse"
          isDanger
          schema={refusalRequest}
          call={(json) => withdrawals.refuse.$post({ param, json })}
          done={{
            title: 'Refused',
            description: 'The buyer gets your answer by email and keeps the purchase.',
          }}
          failed="Couldn’t refuse"
        >
          {(field) => (
            <TextField label="Your reason, for the buyer" rows={3} maxLength={1000} {...field('sentence')} />
          )}
        </DialogFormButton>
      )}
    </>
  )
}

export function UnprovenButtons({ need }: { need: AttentionItemOf<'unproven_withdrawal'> }) {
  return need.orders.map(({ purchase_id, number, product_name, email, amount, currency }) => {
    const order = formatOrderNumber(number)
    return (
      <CallButton
        key={purchase_id}
        label={`Accept for ${order}`}
        question={{ title: `Accept the withdrawal from ${order}?`, action: 'Accept', isDanger: true }}
        call={() => unproven.accept.$post({ param: { id: need.id }, json: { purchase_id } })}
        done={{
          title: 'Accepted',
          description:
            'The buyer gets an email about it. Where a parcel has to come back first, it waits on this list.',
        }}
        failed="Couldn’t accept"
      >
        {product_name}, {formatMoney(amount, currency)}, was bought by {email}. Its files cannot be downloaded
        any more, and the money goes back; where a parcel was sent, once you say that it is back.
      </CallButton>
    )
  })
}

export function DismissButton({ need: { kind, id } }: { need: AttentionItemOf<DismissableKind> }) {
  return (
    <DialogFormButton
      button={{ look: isAlone[kind] ? 'outline' : 'quiet', children: 'Dismiss' }}
      title="Dismiss this?"
      about={consequence[kind]}
      action="Dismiss"
      schema={dismissal}
      call={(json) => api[':kind'][':id'].dismissal.$post({ param: { kind, id }, json })}
      done={{ title: 'Dismissed', description: 'Your note is kept in the log.' }}
      failed={failed}
    >
      {(field) => <TextField label="What you did about it" rows={3} maxLength={1000} {...field('note')} />}
    </DialogFormButton>
  )
}

const isAlone: Partial<Record<DismissableKind, true>> = { refund: true, refund_failed: true, outage: true }

const consequence: Record<DismissableKind, string> = {
  held: 'Choose this if you have settled it elsewhere. The purchase is canceled, no money moves, and nothing completes it automatically. You can still accept the payment on the order’s page.',
  refund: 'This removes it from the list. No money moves.',
  refund_failed: 'Choose this if the buyer got the money in another way. No money moves.',
  event: 'The shop stops trying to process it.',
  mail: 'The shop stops trying to send it.',
  unproven_withdrawal:
    'This removes it from the list. Nobody is written to; if it is proven later by the link in its email, it takes effect.',
  outage: 'This removes it from the list. The shop does not write to the people who could not pay.',
}
