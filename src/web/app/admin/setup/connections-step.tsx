// The step of mail, payments and time zone: what is set, what is open, and where it is set.
import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { StrongLink } from '../links.tsx'
import {
  isGivenAway,
  ownTimeZone,
  PaymentMethods,
  timeIn,
  useNow,
  WithoutKey,
} from '../settings/shared-with-setup.tsx'
import {
  chooseTimeZone,
  PagePreview,
  StateIcon,
  StepButtons,
  StepCard,
  type Loaded,
  type StepProps,
} from './step-card.tsx'

type Connections = Pick<Loaded, 'firstSteps' | 'payments' | 'setup'>

export function hasMail({ firstSteps }: Pick<Loaded, 'firstSteps'>): boolean {
  return firstSteps.steps.some(({ name, is_done }) => name === 'mail' && is_done)
}

/** Money is taken, or the author has chosen to give the book away. */
export function hasPayments({ firstSteps, payments }: Pick<Loaded, 'firstSteps' | 'payments'>): boolean {
  if (firstSteps.payments !== 'none') return firstSteps.payments === 'live'
  return firstSteps.sale_mode !== 'key_missing' && payments !== undefined && isGivenAway(payments)
}

/** Chosen, or the browser's by chance. */
export function hasTimeZone({ setup: { time_zone } }: Pick<Loaded, 'setup'>): boolean {
  const own = ownTimeZone()
  return time_zone.is_chosen || own === undefined || own === time_zone.name
}

export function areConnected(loaded: Connections): boolean {
  return hasMail(loaded) && hasPayments(loaded) && hasTimeZone(loaded)
}

export function ConnectionsStep(props: StepProps) {
  const { firstSteps, payments, choiceResult, isBusy, goTo } = props
  return (
    <StepCard
      title="Mail, payments, time zone"
      lead="You can set them up now, or later under Mail and Settings. Today lists what is left to set up, and leads back here."
    >
      <ul className="grid gap-3">
        <Connection
          title="Mail"
          isDone={hasMail(props)}
          done="The shop sends its emails."
          open="Until mail is set up, nobody new can confirm an account: the shop writes its emails but keeps them. You can read them under “Mail”."
          action="Set up email"
          to="/admin/mails/settings?from=setup"
        />
        <Connection
          title="Payments"
          isDone={hasPayments(props)}
          done={
            firstSteps.payments === 'live'
              ? 'Buyers pay through Stripe.'
              : 'Your book is free for everybody, as you chose: no money is taken.'
          }
          open={
            firstSteps.payments === 'test'
              ? 'Payments use test keys: no card is charged.'
              : firstSteps.sale_mode === 'key_missing'
                ? 'This shop had a Stripe key once. Without one, it sells nothing.'
                : 'Without Stripe, the shop takes no money.'
          }
          action="Set up payments"
          isOffered={firstSteps.payments !== 'live'}
          to="/admin/settings/payments?from=setup"
          more={<PaymentMethods />}
        >
          {firstSteps.payments === 'none' && firstSteps.sale_mode !== 'key_missing' && payments && (
            <div className="mt-4">
              <p className="mb-3 text-sm text-pretty text-soft">Until Stripe is connected, your book is:</p>
              <WithoutKey found={payments} result={choiceResult} />
            </div>
          )}
        </Connection>
        <TimeZone {...props} />
      </ul>
      <PagePreview version={payments?.revision ?? 0} section="book-sales" />
      <StepButtons isBusy={isBusy} onBack={() => goTo('formats')} onNext={() => goTo('open')} />
    </StepCard>
  )
}

type ConnectionProps = {
  title: string
  isDone: boolean
  done: string
  open: string
  action: string
  to: string
  /** True where something is done, and can still be set up another way. */
  isOffered?: boolean
  more?: ReactNode
  children?: ReactNode
}

function Connection(props: ConnectionProps) {
  const { title, isDone, done, open, action, to, isOffered = !isDone, more, children } = props
  return (
    <li className="flex gap-3 rounded-md border border-line p-4">
      <StateIcon state={isDone ? 'done' : 'open'} />
      <div className="min-w-0 grow">
        <p className="font-semibold">{title}</p>
        <p className="mt-0.5 text-sm text-pretty text-soft">{isDone ? done : open}</p>
        {more && <p className="mt-1 text-sm text-pretty text-soft">{more}</p>}
        {isOffered && (
          <p className="mt-2 text-sm">
            <StrongLink to={to}>{action}</StrongLink>
          </p>
        )}
        {children}
      </div>
    </li>
  )
}

function TimeZone(props: StepProps) {
  const { setup, isBusy, run } = props
  const { name, variable } = setup.time_zone
  const isDone = hasTimeZone(props)
  const own = isDone ? undefined : ownTimeZone()
  const now = useNow()
  return (
    <li className="flex gap-3 rounded-md border border-line p-4">
      <StateIcon state={isDone ? 'done' : 'open'} />
      <div className="min-w-0 grow">
        <p className="font-semibold">Time zone</p>
        <p className="mt-0.5 text-sm text-pretty text-soft">
          {own
            ? `Your browser is in ${own}, now ${timeIn(own, now)}. The shop counts its days in ${name}, now ${timeIn(name, now)}.`
            : `${name}, now ${timeIn(name, now)}. A day of sales begins at midnight there.`}
        </p>
        {variable && (
          <p className="mt-0.5 text-sm text-soft">{`Set by ${variable} in the shop’s environment.`}</p>
        )}
        {!variable && (
          <p className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
            {own && (
              <Button
                look="outline"
                disabled={isBusy}
                onClick={() => void run('Couldn’t save', () => chooseTimeZone(own))}
              >
                {isBusy ? 'Saving...' : `Use ${own}`}
              </Button>
            )}
            <StrongLink to="/admin/settings?from=setup">Choose another</StrongLink>
          </p>
        )}
      </div>
    </li>
  )
}
