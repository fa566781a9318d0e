// The screen of what needs the author’s attention.
import { toSentence } from '#contract/verdict-words.ts'
import { Time } from '../../../format/format.tsx'
import { TriangleAlert, CircleCheck } from '../icons.tsx'
import type { PaymentFault, AttentionRequest } from '#contract/payments/needs-attention.ts'
import type { PaymentSetupApi } from '#domains/settings/payment-setup.routes.ts'
import { adminClient, loadPage, CallButton } from '../calls.tsx'
import type { AttentionApi } from '#domains/overview/attention.routes.ts'
import { Note } from '../../../components/note.tsx'
import { ActionLink, BackLink } from '../links.tsx'
import { ListCard } from '../list-screen.tsx'
import type { Route } from './+types/payments.ts'
import { AttentionRow } from './attention.tsx'

const faultsApi = adminClient<PaymentSetupApi>()

function Faults({ faults }: { faults: readonly PaymentFault[] }) {
  if (faults.length === 0) return null
  return (
    <section
      aria-labelledby="payment-faults"
      className="rounded-lg border border-danger bg-surface [&_a]:rounded-sm [&_a]:font-semibold [&_a]:underline [&_a]:underline-offset-4"
    >
      <h2 id="payment-faults" className="flex items-center gap-3 px-5 pt-5 text-lg font-semibold text-danger">
        <TriangleAlert aria-hidden className="size-5 shrink-0" />
        Payments do not work as they should
      </h2>
      <p className="px-5 pt-1 text-pretty text-soft">
        Each of these disappears once it works again. A missing permission also disappears when Stripe has not
        refused the call for six hours.
      </p>
      <ul className="mt-2 divide-y divide-line">
        {faults.map((fault) => (
          <Fault key={`${fault.kind} ${fault.about} ${fault.product?.id}`} fault={fault} />
        ))}
      </ul>
    </section>
  )
}

function Fault({ fault: { kind, about, since, check } }: { fault: PaymentFault }) {
  const { says, answer, advice, actions } = check
  return (
    <li className="grid gap-2 px-5 py-4">
      <h3 className="font-semibold">{toSentence(says)}</h3>
      {answer && (
        <blockquote className="max-w-3xl border-l-2 border-line pl-3 break-words text-pretty">
          {answer}
        </blockquote>
      )}
      {kind === 'copy' && <ConfirmCopy site_url={about ?? ''} />}
      <p className="flex max-w-3xl flex-wrap gap-x-5 gap-y-1 text-sm text-pretty text-soft">
        <span className="w-full">
          {advice}
          {kind !== 'price' && since && (
            <span>
              {' Since '}
              <Time at={since} />.
            </span>
          )}
        </span>
        {kind !== 'copy' && actions.map((action) => <ActionLink key={action.label} action={action} />)}
      </p>
    </li>
  )
}

function ConfirmCopy({ site_url }: { site_url: string }) {
  return (
    <p>
      <CallButton
        label="This is the shop now"
        busyLabel="One moment..."
        question={{ title: `Take payments at ${site_url}?`, action: 'This is the shop now' }}
        call={() => faultsApi.payments.connection.confirmation.$post({ json: { site_url } })}
        done={{ title: 'Confirmed', description: 'This is the shop now: it takes payments.' }}
        failed="Couldn’t confirm"
      >
        Confirm this only if the shop that this data came from no longer runs. Otherwise both would handle the
        same payments, and both would send the books.
      </CallButton>
    </p>
  )
}

const api = adminClient<AttentionApi>().payments

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch what needs attention', request, (query: AttentionRequest) =>
    api.$get({ query }),
  )
}

export default function NeedsAttention({ loaderData: page }: Route.ComponentProps) {
  return (
    <div className="grid gap-6">
      <p>
        <BackLink to="/admin">Today</BackLink>
      </p>
      {page && <Faults faults={page.faults} />}
      {!(page && page.faults.length > 0 && page.items.length === 0) && (
        <ListCard
          title="Needs attention"
          page={page}
          failed="What needs attention could not be loaded"
          empty={
            <Note icon={CircleCheck} title="Nothing needs attention">
              Disputes, payments that do not match, buyers who want a refund, refunds that did not go through,
              emails that could not be sent and failing backups appear here.
            </Note>
          }
        >
          {(item) => <AttentionRow key={`${item.kind} ${item.id}`} item={item} />}
        </ListCard>
      )}
    </div>
  )
}
