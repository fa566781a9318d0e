// One's own account, for readers and admins. Each part has its own file: what it shows, and what its forms send.
import { accountTexts } from '#words/account.ts'
import { redirect } from 'react-router'
import type { OwnAccount, OwnSession } from '#contract/accounts/own-account.ts'
import { api, responseOf } from '../../api.ts'
import { AskBeforeLeaving } from '../../ask-before-leaving.tsx'
import { loadFailure } from '../../copy.ts'
import { readText } from '../../form.ts'
import { useFocusOnArrival, useFollowSession } from '../../private-page.ts'
import { ProofDialog } from '../../proof-dialog.tsx'
import { storedSession, useSession } from '../../session.ts'
import { SignOutButton } from '../../sign-out-button.tsx'
import { toast } from '../../toasts.tsx'
import type { FormResult } from '../../use-action-form.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Bar } from '../../components/card.tsx'
import { Container } from '../../components/container.tsx'
import { LoadFailed } from '../../components/load-failed.tsx'
import type { Route } from './+types/account.ts'
import { leaveIfSignedOut, signInPath } from './account-action.ts'
import { AddressPart, cancelAddressChange, saveAddress, sendAddressLinkAgain } from './address-part.tsx'
import { DataPart } from './data-part.tsx'
import type { MailChoices } from '#contract/delivery/editions.ts'
import type { OwnErasure } from '#contract/operations/erasures.ts'
import { EmailsPart, saveMailChoices } from './emails-part.tsx'
import { askForErasure, cancelErasure, ErasurePart } from './erasure-part.tsx'
import { PasswordPart, savePassword } from './password-part.tsx'
import { FactorParts } from './factor-parts.tsx'
import { ProfilePart, saveProfile } from './profile-part.tsx'
import { endOtherSessions, endSession, SessionsPart } from './sessions-part.tsx'

type Loaded = { account: OwnAccount; sessions: OwnSession[]; erasure: OwnErasure; choices: MailChoices }

export async function clientLoader(): Promise<Loaded | Response | undefined> {
  if (!storedSession()) return redirect(signInPath)
  try {
    const [account, { items: sessions }, erasure, choices] = await Promise.all([
      responseOf(api.account.$get()),
      responseOf(api.account.sessions.$get()),
      responseOf(api.account.erasure.$get()),
      responseOf(api.account['mail-choices'].$get()),
    ])
    return { account, sessions, erasure, choices }
  } catch (error) {
    leaveIfSignedOut(error)
    toast(loadFailure(accountTexts.loadFailed, error))
    return undefined
  }
}

const actions: Record<string, (form: FormData) => Promise<FormResult>> = {
  profile: saveProfile,
  address: saveAddress,
  addressAgain: sendAddressLinkAgain,
  addressCancel: cancelAddressChange,
  password: savePassword,
  session: endSession,
  sessions: endOtherSessions,
  erase: askForErasure,
  keep: cancelErasure,
  mailChoices: saveMailChoices,
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<FormResult> {
  const form = await request.formData()
  const action = actions[readText(form, 'intent')]
  return action ? action(form) : { isSaved: false }
}

export function meta() {
  return [{ title: accountTexts.page }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return (
    <>
      <Header />
      <AccountSkeleton />
    </>
  )
}

export default function Account({ loaderData: found }: Route.ComponentProps) {
  const session = useSession()
  useFollowSession(signInPath)
  // Signed out by the server or in another tab: on the way to the sign-in.
  if (!session) return <HydrateFallback />
  return (
    <>
      <Header />
      <main id="main" className="print:has-data-alone:invisible">
        <Container isText className="grid gap-6 py-8 sm:py-12">
          {found ? <Parts {...found} /> : <LoadFailed title={accountTexts.notLoaded} />}
        </Container>
      </main>
      <AskBeforeLeaving />
      <ProofDialog />
    </>
  )
}

function Parts({ account, sessions, erasure, choices }: Loaded) {
  return (
    <>
      <ProfilePart account={account} />
      <AddressPart account={account} />
      <PasswordPart account={account} />
      <FactorParts account={account} />
      <SessionsPart sessions={sessions} />
      <EmailsPart account={account} choices={choices} />
      <DataPart />
      <ErasurePart erasure={erasure} />
    </>
  )
}

function Header() {
  const heading = useFocusOnArrival()
  return (
    <header className="border-b border-line bg-surface print:[html:has([data-alone])_&]:invisible">
      <Container isText className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-5">
        <h1 ref={heading} tabIndex={-1} className="text-lg font-semibold">
          {accountTexts.page}
        </h1>
        <nav aria-label={accountTexts.link} className="flex flex-wrap items-center gap-2 max-sm:w-full">
          <ButtonLink to="/dashboard" look="quiet" className="max-sm:-ms-3 max-sm:px-3">
            {accountTexts.backToDashboard}
          </ButtonLink>
          <SignOutButton className="max-sm:ml-auto" />
        </nav>
      </Container>
    </header>
  )
}

function AccountSkeleton() {
  return (
    <main aria-busy="true">
      <Container isText className="grid gap-6 py-8 sm:py-12">
        <p className="sr-only" role="status">
          {accountTexts.loading}
        </p>
        {['h-64', 'h-48', 'h-72', 'h-80'].map((height) => (
          <Bar key={height} className={height} />
        ))}
      </Container>
    </main>
  )
}
