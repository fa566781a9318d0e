// One's own account, for readers and admins. profile.tsx and factors.tsx have its cards, and what their forms send.
import { accountTexts } from '#words/account.ts'
import { authTexts } from '#words/auth.ts'
import { siteTexts } from '#words/site.ts'
import { useState, useId } from 'react'
import { useFetcher, redirect } from 'react-router'
import { addressForm, type OwnAccount, type OwnSession } from '#contract/accounts/own-account.ts'
import { changeAddress, resendAddressChange } from '../../session/accounts.ts'
import { api, responseOf } from '../../api.ts'
import { loadFailure } from '../../notices/send.ts'
import { fillParts } from '../../format/fill-parts.tsx'
import { LinkNotSent } from '../../session/credentials.tsx'
import { readText, type FormResult } from '../../forms/form.ts'
import { storedSession } from '../../session/session.ts'
import { useMe, useSession } from '../../session/use-session.ts'
import { useLettersTerms, useSendsMail } from '../../shop.ts'
import { toast } from '../../notices/toasts.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Card, Bar, LoadFailed } from '../card.tsx'
import { change, changeByApi, leaveIfSignedOut, signInPath, AccountForm } from './account-form.tsx'
import {
  PasswordPart,
  ProfilePart,
  askForErasure,
  cancelErasure,
  ErasurePart,
  endOtherSessions,
  endSession,
  SessionsPart,
} from './profile.tsx'
import { ownDataTexts } from '#words/own-data.ts'
import type { OwnLetters } from '#contract/mail/subscribers.ts'
import { lettersWords } from '#contract/mail/letters-words.ts'
import { lettersTexts } from '#words/letters.ts'
import type { MailChoices } from '#contract/delivery/editions.ts'
import { AskBeforeLeaving } from '../leave-question.tsx'
import { useFocusOnArrival, useFollowSession } from '../private-page.tsx'
import { ProofDialog } from '../proof-dialog.tsx'
import { SignOutButton } from '../../session/sign-out-button.tsx'
import { Container } from '../../components/section.tsx'
import type { Route } from './+types/account.ts'
import { unlisted } from '../../page/page-meta.ts'
import type { OwnErasure } from '#contract/privacy/erasures.ts'
import { FactorParts } from './factors.tsx'

async function saveAddress(email: string, present: string): Promise<FormResult> {
  const { same, sent } = accountTexts.address
  if (email === present) return { isSaved: false, problems: { email: same } }
  return change(() => changeAddress(email), {
    done: { title: sent },
    fields: { validation_failed: 'email' },
  })
}

function sendAddressLinkAgain(form: FormData): Promise<FormResult> {
  const done = { title: accountTexts.address.sentAgain }
  return change(() => resendAddressChange(readText(form, 'present')), { done })
}

function cancelAddressChange(): Promise<FormResult> {
  const { canceled, couldNotCancel } = accountTexts.address
  const call = () => responseOf(api.account['new-address'].$delete())
  return changeByApi(call, { done: { title: canceled }, failed: couldNotCancel })
}

function AddressPart({ account }: { account: OwnAccount }) {
  const { email, new_email, missing } = account
  const { title, text } = accountTexts.address
  return (
    <Card title={title} contentClass="grid gap-5 p-5">
      <p className="text-pretty">{fillParts(text, { email: <Address>{email}</Address> })}</p>
      {new_email ? (
        <Waiting email={email} new_email={new_email} missing={missing} />
      ) : (
        <Change email={email} />
      )}
    </Card>
  )
}

function Address({ children }: { children: string }) {
  return <strong className="font-semibold wrap-anywhere">{children}</strong>
}

function Change({ email }: Pick<OwnAccount, 'email'>) {
  const texts = accountTexts.address
  const sendsMail = useSendsMail()
  const [isOpen, open] = useState(false)
  if (!isOpen)
    return (
      <p>
        <Button look="outline" className="max-sm:w-full" onClick={() => open(true)}>
          {texts.change}
        </Button>
      </p>
    )
  return (
    <AccountForm
      schema={addressForm}
      fields={{
        email: {
          label: texts.new,
          hint: sendsMail ? texts.hint : undefined,
          // The button that had the focus has gone.
          input: { autoComplete: 'email', autoFocus: true },
        },
      }}
      save={(values) => saveAddress(values.email, email)}
      label={texts.send}
    />
  )
}

type WaitingProps = { email: string; new_email: string; missing: OwnAccount['missing'] }

function Waiting({ email, new_email, missing }: WaitingProps) {
  const texts = accountTexts.address
  const { isAdmin } = useMe()
  const isMissing = { old: missing.includes('current'), new: missing.includes('new') }
  const addresses = { new: <Address>{new_email}</Address>, old: <Address>{email}</Address> }
  const waiting =
    isMissing.old && isMissing.new ? texts.waiting : isMissing.new ? texts.waitingForNew : texts.waitingForOld
  const sendsMail = useSendsMail()
  const fetcher = useFetcher<FormResult>()
  const isBusy = fetcher.state !== 'idle'
  const submit = (intent: string) => void fetcher.submit({ intent, present: email }, { method: 'post' })
  return (
    <div className="grid gap-4 rounded-md border border-line bg-ink/5 p-4">
      <p role="status" className="text-pretty">
        {sendsMail ? (
          fillParts(waiting, addresses)
        ) : (
          <LinkNotSent email={isMissing.new ? new_email : email} />
        )}
      </p>
      {isMissing.old && !isAdmin && (
        <p className="text-sm text-pretty text-soft">
          {fillParts(texts.lostOld, { old: addresses.old, contact: <WriteToUs /> })}
        </p>
      )}
      <p className="flex flex-wrap gap-3">
        <Button
          look="outline"
          disabled={isBusy}
          className="max-sm:w-full"
          onClick={() => submit('addressAgain')}
        >
          {sendsMail ? texts.again : authTexts.writeEmailAgain}
        </Button>
        <Button
          look="quiet"
          disabled={isBusy}
          className="max-sm:w-full"
          onClick={() => submit('addressCancel')}
        >
          {texts.cancel}
        </Button>
      </p>
    </div>
  )
}

function WriteToUs() {
  return (
    <a href="/#contact" className="rounded-sm text-ink underline underline-offset-4">
      {authTexts.writeToUs}
    </a>
  )
}

function DataPart() {
  const { title, text, open } = ownDataTexts.part
  return (
    <Card title={title} contentClass="grid gap-4 p-5">
      <p className="text-pretty">{text}</p>
      <p>
        <ButtonLink to="/account/data" look="outline" className="max-sm:w-full">
          {open}
        </ButtonLink>
      </p>
    </Card>
  )
}

function saveMailChoices(form: FormData): Promise<FormResult> {
  const json = { has_editions: readText(form, 'has_editions') === 'yes' }
  const call = () => responseOf(api.account['mail-choices'].$put({ json }))
  return changeByApi(call, { done: { title: accountTexts.emails.saved } })
}

type EmailsPartProps = { account: OwnAccount; choices: MailChoices; letters: OwnLetters }

/** The other kinds cannot be turned off: each belongs to a purchase or guards the account. */
function EmailsPart({ account, choices, letters }: EmailsPartProps) {
  const { title, purchases, account: ofAccount, only, sentTo } = accountTexts.emails
  const isListed = letters.subscription !== null && letters.subscription.ended_at === null
  return (
    <Card title={title} contentClass="grid gap-3 p-5 text-pretty">
      <ul className="grid list-disc gap-1 ps-5">
        <li>{purchases}</li>
        <li>{ofAccount}</li>
      </ul>
      <EditionsChoice choices={choices} />
      {(letters.is_offered || isListed) && <LettersChoice isListed={isListed} />}
      <p className="text-soft">
        {!letters.is_offered && !isListed && <span>{`${only} `}</span>}
        <span>
          {fillParts(sentTo, {
            email: <strong className="font-semibold break-words text-ink">{account.email}</strong>,
          })}
        </span>
      </p>
    </Card>
  )
}

function saveLetters(form: FormData): Promise<FormResult> {
  const words = readText(form, 'letters')
  const call = () => responseOf(api.account.letters.$put({ json: words ? { words } : {} }))
  return changeByApi(call, { done: { title: accountTexts.emails.saved } })
}

/** The words that the reader agrees to stand beside the box. */
function LettersChoice({ isListed }: { isListed: boolean }) {
  const terms = useLettersTerms()
  return (
    <EmailChoice
      intent="letters"
      name="letters"
      value={terms ? lettersWords(terms) : ''}
      isChosen={isListed}
      isFixed={!terms && !isListed}
      label={terms ? lettersWords(terms) : lettersTexts.getThem}
    />
  )
}

function EditionsChoice({ choices }: { choices: MailChoices }) {
  return (
    <EmailChoice
      intent="mailChoices"
      name="has_editions"
      value="yes"
      isChosen={choices.has_editions}
      label={accountTexts.emails.editions}
    />
  )
}

type EmailChoiceProps = {
  intent: string
  name: string
  /** Sent where the box is ticked. */
  value: string
  isChosen: boolean
  isFixed?: boolean
  label: string
}

/** Shown as chosen while it is saved, and as it was after a failure. */
function EmailChoice({ intent, name, value, isChosen, isFixed = false, label }: EmailChoiceProps) {
  const fetcher = useFetcher<FormResult>()
  const id = useId()
  const chosen = fetcher.formData?.get(name)
  const isOn = fetcher.formData ? chosen === value : isChosen
  const fields = { intent, [name]: isOn ? '' : value }
  return (
    <p className="flex gap-3">
      <input
        type="checkbox"
        id={id}
        checked={isOn}
        disabled={isFixed || fetcher.state !== 'idle'}
        className="mt-1 size-4.5 shrink-0 accent-ink"
        onChange={() => void fetcher.submit(fields, { method: 'post' })}
      />
      <label htmlFor={id}>{label}</label>
    </p>
  )
}

type Loaded = {
  account: OwnAccount
  sessions: OwnSession[]
  erasure: OwnErasure
  choices: MailChoices
  letters: OwnLetters
}

export async function clientLoader(): Promise<Loaded | Response | undefined> {
  if (!storedSession()) return redirect(signInPath)
  try {
    const [account, { items: sessions }, erasure, choices, letters] = await Promise.all([
      responseOf(api.account.$get()),
      responseOf(api.account.sessions.$get()),
      responseOf(api.account.erasure.$get()),
      responseOf(api.account['mail-choices'].$get()),
      responseOf(api.account.letters.$get()),
    ])
    return { account, sessions, erasure, choices, letters }
  } catch (error) {
    leaveIfSignedOut(error)
    toast(loadFailure(accountTexts.loadFailed, error))
    return undefined
  }
}

const actions: Record<string, (form: FormData) => Promise<FormResult>> = {
  addressAgain: sendAddressLinkAgain,
  addressCancel: cancelAddressChange,
  session: endSession,
  sessions: endOtherSessions,
  erase: askForErasure,
  keep: cancelErasure,
  mailChoices: saveMailChoices,
  letters: saveLetters,
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<FormResult> {
  const form = await request.formData()
  const action = actions[readText(form, 'intent')]
  return action ? action(form) : { isSaved: false }
}

export function meta({ matches }: Route.MetaArgs) {
  return unlisted(accountTexts.page, matches[0].loaderData.book)
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

function Parts({ account, sessions, erasure, choices, letters }: Loaded) {
  return (
    <>
      <ProfilePart account={account} />
      <AddressPart account={account} />
      <PasswordPart account={account} />
      <FactorParts account={account} />
      <SessionsPart sessions={sessions} />
      <EmailsPart account={account} choices={choices} letters={letters} />
      <DataPart />
      <ErasurePart erasure={erasure} />
    </>
  )
}

function Header() {
  const heading = useFocusOnArrival()
  const { isAdmin } = useMe()
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
          {isAdmin && (
            <ButtonLink to="/admin" look="quiet" className="max-sm:px-3">
              {siteTexts.admin}
            </ButtonLink>
          )}
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
