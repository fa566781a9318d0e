import type { OrderDetail } from '#contract/payments/orders.ts'
import { Time } from '../../../time.tsx'
import { Badge, type BadgeLook } from '../../../components/badge.tsx'
import { ButtonLink } from '../../../components/button.tsx'
import { Fact } from '../facts.tsx'
import { OpenAtStripe } from '../open-at-stripe.tsx'
import { Card } from '../../../components/card.tsx'

type DisputeProps = { purchase_id: string; dispute: NonNullable<OrderDetail['dispute']> }

type State = { name: string; look: BadgeLook; meaning: string }

const noMoneyTaken = 'This is an inquiry: no money was taken.'

/** By Stripe's words, docs.stripe.com/api/disputes/object#dispute_object-status. */
const states: Record<string, State> = {
  needs_response: {
    name: 'answer needed',
    look: 'danger',
    meaning: 'The bank has taken the money. Without an answer in time it is lost.',
  },
  under_review: { name: 'under review', look: 'danger', meaning: 'The bank has your answer and decides.' },
  appeal_needs_response: {
    name: 'answer needed',
    look: 'danger',
    meaning: 'The decision is appealed. Without an answer in time the money is lost.',
  },
  appeal_under_review: {
    name: 'under review',
    look: 'danger',
    meaning: 'The decision is appealed, and the bank decides.',
  },
  warning_needs_response: {
    name: 'answer needed',
    look: 'danger',
    meaning: `${noMoneyTaken} Without an answer in time a dispute may follow.`,
  },
  warning_under_review: { name: 'under review', look: 'plain', meaning: noMoneyTaken },
  warning_closed: { name: 'closed', look: 'plain', meaning: `${noMoneyTaken} No dispute followed.` },
  prevented: { name: 'prevented', look: 'plain', meaning: 'It was resolved before it became a dispute.' },
  won: { name: 'won', look: 'highlighted', meaning: 'The bank decided for you: the money is back.' },
  lost: { name: 'lost', look: 'danger', meaning: 'The bank decided for the buyer, who keeps the money.' },
}

function stateOf(status: string): State {
  const unknown = { name: status.replaceAll('_', ' '), look: 'plain', meaning: '' } as const
  return states[status] ?? unknown
}

export function Dispute({ purchase_id, dispute }: DisputeProps) {
  const { opened_at, answer_by, status, stripe_url } = dispute
  const { name, look, meaning } = stateOf(status)
  return (
    <Card
      title="Dispute"
      action={<Badge look={look}>{name}</Badge>}
      contentClass="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 px-5 py-4"
    >
      <div>
        {meaning && <p>{meaning}</p>}
        <dl className="mt-3 flex flex-wrap gap-x-12 gap-y-3 tabular-nums [&_dt]:text-sm [&_dt]:text-soft">
          <Fact name="Opened">
            <Time at={opened_at} />
          </Fact>
          {answer_by && (
            <Fact name="Answer by" className="font-semibold text-danger">
              <Time at={answer_by} />
            </Fact>
          )}
        </dl>
      </div>
      <p className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:grow">
        <ButtonLink look="outline" to={`/admin/purchases/${purchase_id}/evidence`}>
          Evidence for the bank
        </ButtonLink>
        <OpenAtStripe url={stripe_url} />
      </p>
    </Card>
  )
}
