// Sign in, sign up, and the way back for those who forgot their password.
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { book } from '#content/book.ts'
import type { Product } from '#contract/products.ts'
import { answerOf, api } from '../../api.ts'
import { Cover } from '../../cover.tsx'
import { shownProducts } from '../../entry.server.tsx'
import { nextPath } from '../../next-path.ts'
import { pageMeta } from '../../page-meta.ts'
import { usePendingSession, useSession } from '../../session.ts'
import { Tabs } from '../../ui/tabs.tsx'
import type { Route } from './+types/auth.ts'
import { CheckMail } from './check-mail.tsx'
import { CodeStep } from './code-step.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { Wanted } from './wanted.tsx'

/** The catalogue's products: one of them may have been wanted before the sign-in. */
export function loader({ context }: Route.LoaderArgs) {
  return { products: context.get(shownProducts) }
}

export function clientLoader() {
  return { products: fetchProducts() }
}

/** What stands in the address besides changes nothing that is for sale. */
export function shouldRevalidate() {
  return false
}

export function meta({ matches }: Route.MetaArgs) {
  const description = `Sign in or make an account to read ${book.title}: your purchases and downloads in one place.`
  return pageMeta({ siteUrl: matches[0].loaderData.siteUrl, path: '/auth', title: 'Sign in', description })
}

/** Where in the card one is; `email` is who must look into the mailbox. */
type Step = { name: 'tabs' } | { name: 'forgot' } | { name: 'check-mail'; email: string }

export default function Auth({ loaderData: { products } }: Route.ComponentProps) {
  const [step, setStep] = useState<Step>({ name: 'tabs' })
  const [tab, setTab] = useState<'in' | 'up'>('in')
  const pending = usePendingSession()
  const heading = useRef<HTMLHeadingElement>(null)
  useLeaveWhenSignedIn()

  /** The button that was pressed is gone then, and the keyboard goes on from the card's beginning. */
  function backToSignIn() {
    setStep({ name: 'tabs' })
    setTab('in')
    heading.current?.focus()
  }

  return (
    <main className="closing-light grid min-h-dvh place-items-center px-5 py-10">
      <div className="grid w-full max-w-md items-center gap-16 lg:max-w-5xl lg:grid-cols-[1fr_27rem]">
        <Cover className="mx-auto hidden h-auto w-72 rounded-sm shadow-2xl outline outline-cover-edge lg:block" />
        <section className="rounded-lg border border-line bg-surface p-6 shadow-lg sm:p-9">
          <Link to="/" className="text-sm text-soft underline-offset-4 hover:text-ink hover:underline">
            ← Back to Home
          </Link>
          <h1 ref={heading} tabIndex={-1} className="mt-4 font-display text-2xl font-semibold text-balance">
            {book.title}
          </h1>
          <p className="mt-2 mb-7 text-balance text-soft">Sign in to access your purchases and downloads</p>
          <Wanted products={products} />
          {pending && <CodeStep session={pending} onLeave={backToSignIn} />}
          {!pending && step.name === 'check-mail' && <CheckMail email={step.email} onBack={backToSignIn} />}
          {!pending && step.name === 'forgot' && <ForgotPassword onBack={backToSignIn} />}
          <div hidden={pending !== undefined || step.name !== 'tabs'} className="owes-code:invisible">
            <Tabs
              label="Account"
              chosen={tab}
              onChoose={setTab}
              tabs={[
                {
                  name: 'in',
                  label: 'Sign In',
                  panel: <SignInForm onForgot={() => setStep({ name: 'forgot' })} />,
                },
                {
                  name: 'up',
                  label: 'Sign Up',
                  panel: <SignUpForm onDone={(email) => setStep({ name: 'check-mail', email })} />,
                },
              ]}
            />
          </div>
        </section>
      </div>
    </main>
  )
}

async function fetchProducts(): Promise<Product[] | undefined> {
  try {
    return await answerOf(api.products.$get())
  } catch {
    // The sign-in works without naming the product.
    return undefined
  }
}

/** Also when the sign-in happened in another tab. */
function useLeaveWhenSignedIn() {
  const isSignedIn = useSession() !== undefined
  const { search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (isSignedIn) void navigate(nextPath(search), { replace: true })
  }, [isSignedIn, search, navigate])
}
