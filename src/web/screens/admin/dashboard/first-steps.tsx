import { TextLink } from '../text-link.tsx'
import { Check } from '../../../components/icons.tsx'
import { Circle, TriangleAlert } from '../icons.tsx'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { SaleMode } from '#contract/catalog/sale-mode.ts'
import type { FirstSteps, SiteAddress } from '#contract/operations/setup.ts'
import { Callout } from '../../../components/callout.tsx'
import { Card } from '../../../components/card.tsx'

type StepName = FirstSteps['steps'][number]['name']

const stepTexts: Record<StepName, { title: string; how: ReactNode }> = {
  admin: { title: 'Make your admin account', how: 'You are signed in with it.' },
  mail: {
    title: 'Let the shop send email',
    how: (
      <>
        Enter your mail server under <Link to="/admin/settings/mail">Settings</Link>. Until then you can read
        each email under <Link to="/admin/mails">Emails</Link>.
      </>
    ),
  },
  payments: {
    title: 'Take payments',
    how: (
      <>
        Paste your Stripe key under <Link to="/admin/settings/payments">Settings</Link>: the test key first,
        then the live one.
      </>
    ),
  },
  words: {
    title: 'Write your own page',
    how: (
      <>
        What visitors read is the sample’s. Change its words under <Link to="/admin/book">Book</Link> and
        publish them.
      </>
    ),
  },
  book: {
    title: 'Put your own book in',
    how: (
      <>
        What is sold now is the sample. <Link to="/admin/setup">Bring your book</Link>: its file fills in the
        page and the products.
      </>
    ),
  },
  purchase: {
    title: 'Buy your own book once',
    how: (
      <>
        Go to the <a href="/#book-sales">shop</a> as a reader would, and see that email and file arrive.
      </>
    ),
  },
}

export function FirstStepsCard({ steps }: Pick<FirstSteps, 'steps'>) {
  const done = steps.filter(({ is_done }) => is_done).length
  if (done === steps.length) return null
  return (
    <Card
      title="First steps"
      action={
        <span className="text-sm text-soft tabular-nums">
          {done} of {steps.length} done
        </span>
      }
    >
      <ol className="grid gap-x-8 gap-y-4 px-5 py-4 sm:grid-cols-2">
        {steps.map(({ name, is_done }) => (
          <Step key={name} isDone={is_done} {...stepTexts[name]} />
        ))}
      </ol>
    </Card>
  )
}

function Step({ isDone, title, how }: { isDone: boolean; title: string; how: ReactNode }) {
  const Icon = isDone ? Check : Circle
  return (
    <li className="flex gap-3">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${isDone ? 'text-success' : 'text-soft'}`} />
      <div className={isDone ? 'text-soft' : ''}>
        <p className="font-semibold">
          {title}
          <span className="sr-only">{isDone ? ': done' : ': still to do'}</span>
        </p>
        {!isDone && (
          <p className="mt-0.5 text-sm text-soft [&_a]:underline [&_a]:underline-offset-4">{how}</p>
        )}
      </div>
    </li>
  )
}

const paymentsLink = (text: string) => <TextLink to="/admin/settings/payments">{text}</TextLink>

const sales: Record<Exclude<SaleMode, 'paid'>, ReactNode> = {
  sample: 'No money is taken: without a payment provider every purchase completes at once.',
  free: (
    <>
      Your book is free for everybody: each order completes at once, and nothing is charged.{' '}
      {paymentsLink('Change that')}
    </>
  ),
  not_for_sale: (
    <>
      Your book is not for sale yet: its cards say “Available soon”, because the shop takes no payments.{' '}
      {paymentsLink('Connect Stripe, or give it away for free')}
    </>
  ),
  key_missing: (
    <>
      Nothing is for sale: this shop used to have a Stripe key and has none now. Without one it would give
      your book away. Set STRIPE_SECRET_KEY again where the shop is started, or{' '}
      {paymentsLink('paste the key')}.
    </>
  ),
}

const testMode = 'Payments run on test keys: no card is charged, and no money is taken.'

export function MoneyBanner({ payments, sale_mode }: Pick<FirstSteps, 'payments' | 'sale_mode'>) {
  if (sale_mode !== 'paid') return <Banner>{sales[sale_mode]}</Banner>
  return payments === 'test' ? <Banner>{testMode}</Banner> : null
}

export function AddressBanner({ address }: { address: SiteAddress | undefined }) {
  if (!address || (address.is_https && !address.fault)) return null
  return (
    <Banner>
      {!address.is_https && (
        <span>{`The shop’s address, ${address.url}, has no https: what visitors type, passwords included, can be read on the way. `}</span>
      )}
      {address.fault && <span>{`Visitors may not reach the shop: ${address.fault}. `}</span>}
      <TextLink to="/admin/settings">Set the address</TextLink>
    </Banner>
  )
}

export function ProxyBanner({ address }: { address: SiteAddress | undefined }) {
  if (!address?.is_proxy_ignored) return null
  return (
    <Banner>
      Visitors reach the shop through a proxy that it does not trust, so its limits count all visitors as one:
      one person guessing passwords keeps everybody else from signing in. Set TRUST_PROXY=1 where the shop is
      started (with several proxies in a row, their number), and have the proxy send X-Forwarded-For.
    </Banner>
  )
}

function Banner({ children }: { children: ReactNode }) {
  return (
    <Callout role="note" className="flex gap-3">
      <TriangleAlert aria-hidden className="mt-px size-5 shrink-0 text-gold-text" />
      <span className="min-w-0 break-words">{children}</span>
    </Callout>
  )
}
