// What may follow the press of a link: the code of a second factor, a new password, or that it has expired.
import { authTexts } from '#words/auth.ts'
import { useRef, useState } from 'react'
import { passwordRule } from '#contract/password-length.ts'
import { changePassword } from './accounts.ts'
import { loadAndCheck } from './check-fields.ts'
import { CodeForm, stepTitle } from './code-form.tsx'
import { loadPasswordSchema } from './credentials-form.tsx'
import { useFocusBack } from './focus-back.ts'
import { readText } from './form.ts'
import { pendingSession, signOut } from './session.ts'
import { verifiedFactors } from './stored-session.ts'
import { toast } from './toasts.tsx'
import { Button, ButtonLink } from './components/button.tsx'
import { Dialog } from './components/dialog.tsx'
import { PasswordField } from './components/password-field.tsx'

/** The link stands for the password, but not for the second factor. */
export function GiveCode({ onDone, onLeave }: { onDone: () => void; onLeave: () => void }) {
  const [session] = useState(pendingSession)
  const factors = session ? verifiedFactors(session) : []
  const giveUp = () => void signOut().then(onLeave)
  return (
    <Dialog title={stepTitle(factors)} onClose={giveUp}>
      <CodeForm text={authTexts.codeTextOfYours} factors={factors} onDone={onDone} onLeave={giveUp} />
    </Dialog>
  )
}

type NewPasswordProps = { onSaved: () => void; onLeave: () => void; onTooLate: () => void }

/** The server asks for a link, and a code where there is a second factor, given in the last ten minutes. */
const lateCodes = new Set(['reauthentication_needed', 'insufficient_aal'])

export function NewPassword({ onSaved, onLeave, onTooLate }: NewPasswordProps) {
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  useFocusBack(form, isBusy)
  async function save(written: FormData) {
    setIsBusy(true)
    const password = readText(written, 'password')
    const wrong = await loadAndCheck(loadPasswordSchema, { password })
    const outcome = wrong ? { problem: wrong['password'] } : await changePassword(password)
    setIsBusy(false)
    if (outcome.code && lateCodes.has(outcome.code)) return signOut().then(onTooLate)
    setProblem(outcome.problem)
    if (outcome.problem) return
    toast(authTexts.passwordChanged)
    onSaved()
  }
  // A user who leaves without choosing a password has not proven to know one: the session ends.
  const giveUp = () => void signOut().then(onLeave)
  return (
    <Dialog title={authTexts.choosePassword} isBusy={isBusy} onClose={giveUp}>
      <form
        ref={form}
        noValidate
        className="mt-5 grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          void save(new FormData(event.currentTarget))
        }}
      >
        <PasswordField
          label={authTexts.newPassword}
          name="password"
          autoComplete="new-password"
          hint={passwordRule()}
          problem={problem}
        />
        <Button type="submit" disabled={isBusy}>
          {isBusy ? authTexts.saving : authTexts.saveAndSignIn}
        </Button>
      </form>
    </Dialog>
  )
}

type ExpiredProps = { text: string; next: string; onLeave: () => void }

export function Expired({ text, next, onLeave }: ExpiredProps) {
  return (
    <Dialog title={authTexts.expiredTitle} onClose={onLeave}>
      <p className="mt-3 text-soft">{text}</p>
      <div className="mt-7 flex justify-end">
        <ButtonLink to={next === '/' ? '/auth' : `/auth?next=${encodeURIComponent(next)}`} replace>
          {authTexts.goToSignIn}
        </ButtonLink>
      </div>
    </Dialog>
  )
}
