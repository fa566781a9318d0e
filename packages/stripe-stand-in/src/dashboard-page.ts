// The stand-in's front page: every checkout, with what happens at Stripe or at a bank rather than in the shop.
import { idOf } from './id-of.ts'
import type { Account } from './account.ts'
import { escape, formatMinor, layout } from './layout.ts'
import type { Session } from './new-session.ts'
import { Refusal } from './refusal.ts'

const actions = {
  refund: 'Refund the rest',
  fail: 'Let the last refund fail',
  dispute: 'Dispute',
  won: 'Dispute won',
  lost: 'Dispute lost',
  expire: 'Expire',
} as const
type Action = keyof typeof actions

export type NewEvent = { type: string; object: object }

export function showAdmin(account: Account): string {
  const rows = [...account.sessions.values()].toReversed().map((session) => rowOf(account, session))
  if (rows.length === 0) return layout('Checkouts', '<p>None yet: buy something in the shop.</p>')
  const head = '<tr><th>Product<th>Buyer<th>Amount<th>State<th>What happens next</tr>'
  return layout('Checkouts', `<table>${head}${rows.join('')}</table>`)
}

function rowOf(account: Account, session: Session): string {
  const { id, status, payment_status, customer_email, amount_total, currency, line_items } = session
  const [item] = line_items.data
  const intent = idOf(session.payment_intent)
  const states = [status === 'complete' ? payment_status : status]
  const back = intent ? account.chargeOf(intent).amount_refunded : 0
  if (back > 0) states.push(`${formatMinor(back, currency)} back`)
  const dispute = account.disputes.find(({ payment_intent }) => intent && payment_intent === intent)
  if (dispute) states.push(`dispute: ${dispute.status.replaceAll('_', ' ')}`)
  const isOpen = dispute && dispute.status !== 'won' && dispute.status !== 'lost'
  const possible: Action[] = isOpen
    ? ['won', 'lost']
    : ['refund', ...(back > 0 ? (['fail'] as const) : []), 'dispute']
  const buttons = (status === 'open' ? (['expire'] as const) : intent ? possible : []).map(
    (action) => `<button name="action" value="${action}">${actions[action]}</button>`,
  )
  const pay = session.url ? `<a href="${session.url}">Pay</a> ` : ''
  return `<tr><td>${escape(item?.description ?? '')}<td>${escape(customer_email ?? '')}<td>${formatMinor(amount_total, currency)}
    <td>${states.join(', ')}<td>${pay}<form method="post" action="/actions/${id}">${buttons.join('')}</form></tr>`
}

/** Does what the button says, and returns what the shop is told of it. */
export function submitAction(account: Account, session: Session, form: URLSearchParams): NewEvent {
  const intent = idOf(session.payment_intent)
  const action = form.get('action')
  switch (action) {
    case 'expire':
      return { type: 'checkout.session.expired', object: account.expire(session.id) }
    case 'refund':
      account.refund(intent)
      return { type: 'charge.refunded', object: account.chargeOf(intent) }
    case 'fail': {
      const last = account.refunds.findLast(({ payment_intent }) => payment_intent === intent)
      return { type: 'refund.failed', object: last ? account.failRefund(last.id) : {} }
    }
    case 'dispute':
      return { type: 'charge.dispute.created', object: account.dispute(session.id, 'needs_response') }
    case 'won':
    case 'lost':
      return { type: 'charge.dispute.closed', object: account.dispute(session.id, action) }
    default:
      throw new Refusal('No such action.')
  }
}
