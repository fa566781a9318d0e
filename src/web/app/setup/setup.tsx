// The page on which the first admin account is made.
import { siteTexts } from '#words/site.ts'
import { setupTexts } from '#words/auth.ts'
import { fill } from '#words/texts.ts'
import { useEffect, useState } from 'react'
import { useNavigate, type MetaDescriptor } from 'react-router'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../notices/send.ts'
import { ButtonLink, Spinner, Button } from '../../components/button.tsx'
import { useIsAlive } from '../../page/use-page.ts'
import { type FieldProblems, passwordRule } from '#contract/field-rules.ts'
import { signIn, type Credentials } from '../../session/accounts.ts'
import { useForm, type FormResult } from '../../forms/form.ts'
import { checkSignUp, CredentialsForm, SubmitButton } from '../../session/credentials.tsx'
import { toast } from '../../notices/toasts.tsx'
import type { RestoreState } from '#contract/setup/setup-restore.ts'
import { readRestore, Restore } from './restore.tsx'
import { PasswordField } from '../../components/further-fields.tsx'

export function meta(): MetaDescriptor[] {
  return [{ title: setupTexts.title }, { name: 'robots', content: 'noindex' }]
}

type LinkState =
  | { isValid: true; token: string; restore: RestoreState }
  | { isValid: false; reason: string; isFinished: boolean }

export default function Setup() {
  const link = useSetupLink()
  const [isRestoring, setIsRestoring] = useState(false)
  const isUnderWay = link?.isValid && link.restore.state !== 'none'
  return (
    <main id="main" className="closing-light grid min-h-dvh place-items-center px-5 py-10">
      <section
        className={`w-full rounded-lg border border-line bg-surface p-6 shadow-lg sm:p-9 ${isUnderWay || isRestoring ? 'max-w-xl' : 'max-w-md'}`}
      >
        {link?.isValid && (isUnderWay || isRestoring) ? (
          <Restore token={link.token} first={link.restore} onLeave={() => setIsRestoring(false)} />
        ) : (
          <NewShop link={link} onRestore={() => setIsRestoring(true)} />
        )}
      </section>
    </main>
  )
}

function NewShop({ link, onRestore }: { link: LinkState | undefined; onRestore: () => void }) {
  const navigate = useNavigate()
  return (
    <>
      <h1 className="font-display text-2xl font-semibold text-balance">{setupTexts.title}</h1>
      {!link && (
        <p className="mt-6 flex items-center gap-3 text-soft" role="status">
          <Spinner /> {setupTexts.checkingLink}
        </p>
      )}
      {link?.isValid === false && <Unusable {...link} />}
      {link?.isValid && (
        <>
          <p className="mt-2 mb-7 text-pretty text-soft">{setupTexts.lead}</p>
          <AccountForm token={link.token} onDone={() => void navigate('/admin/setup', { replace: true })} />
          <div className="mt-8 border-t border-line pt-6">
            <h2 className="font-semibold">{setupTexts.haveShop}</h2>
            <p className="mt-1 text-sm text-pretty text-soft">{setupTexts.haveShopText}</p>
            <Button look="outline" className="mt-4 w-full" onClick={onRestore}>
              {setupTexts.restoreShop}
            </Button>
          </div>
        </>
      )}
    </>
  )
}

function Unusable({ reason, isFinished }: { reason: string; isFinished: boolean }) {
  return (
    <>
      <p className="mt-4 text-pretty" role="alert">
        {reason}
      </p>
      <p className="mt-7 flex flex-wrap gap-3">
        {isFinished && <ButtonLink to="/auth?next=%2Fadmin">{setupTexts.signIn}</ButtonLink>}
        <ButtonLink to="/" look="outline">
          {setupTexts.returnHome}
        </ButtonLink>
      </p>
    </>
  )
}

function useSetupLink(): LinkState | undefined {
  const isAlive = useIsAlive()
  const [state, setState] = useState<LinkState>()
  useEffect(() => {
    if (!isAlive) return undefined
    let isShown = true
    const token = location.hash.slice(1)
    readLink(token).then(
      (restore) => isShown && setState({ isValid: true, token, restore }),
      (error: unknown) => {
        const isRefused = error instanceof ProblemError
        const isFinished = isRefused && error.code === 'setup.finished'
        if (isShown)
          setState({ isValid: false, reason: isRefused ? error.message : siteTexts.offline, isFinished })
      },
    )
    return () => void (isShown = false)
  }, [isAlive])
  return state
}

/** Once a restore has ended, its link makes no account any more, and still shows what comes next. */
async function readLink(token: string): Promise<RestoreState> {
  const restore = await readRestore(token)
  if (restore.state !== 'restored') await responseOf(api.setup.link.$post({ json: { token } }))
  return restore
}

const fieldOf: Record<string, string> = {
  'accounts.email_taken': 'email',
  'auth.common_password': 'password',
}

function AccountForm({ token, onDone }: { token: string; onDone: () => void }) {
  const state = useForm(checkSignUp, send)
  async function send(credentials: Credentials): Promise<FormResult> {
    const problems = await make(token, credentials)
    if (problems) return { isSaved: false, problems }
    const { problem } = await signIn(credentials)
    toast(
      problem
        ? {
            title: setupTexts.made,
            description: fill(setupTexts.pleaseSignIn, { problem }),
            destructive: true,
          }
        : setupTexts.ready,
    )
    onDone()
    return { isSaved: true }
  }
  return (
    <CredentialsForm state={state}>
      <PasswordField
        label={setupTexts.password}
        autoComplete="new-password"
        reservesLine
        hint={passwordRule()}
        {...state.field('password')}
      />
      <SubmitButton isBusy={state.isBusy} label={setupTexts.make} busyLabel={setupTexts.making} />
    </CredentialsForm>
  )
}

async function make(token: string, credentials: Credentials): Promise<FieldProblems | undefined> {
  try {
    await responseOf(api.setup.$post({ json: { token, ...credentials } }))
    return undefined
  } catch (error) {
    const field = error instanceof ProblemError && fieldOf[error.code]
    if (field) return { [field]: error.message }
    toast(failure(setupTexts.failed, error))
    return (error instanceof ProblemError && error.fields) || {}
  }
}
