import { authTexts } from '#words/auth.ts'
import { useState } from 'react'
import type { FieldProblems } from '#contract/field-problems.ts'
import { passwordRule, passwordTooShort } from '#contract/password-length.ts'
import { readText } from '../../form.ts'
import { signUp, type Credentials, fieldProblems } from '../../accounts.ts'
import { nextPath } from '../../next-path.ts'
import { toast, type Toast } from '../../toasts.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { CredentialsForm, readCredentials, loadSignUpSchema, SubmitButton } from '../../credentials-form.tsx'
import { useSaleMode, useSendsMail } from '../../shop.ts'
import { useBusy } from '../../use-busy.ts'
import { loadAndCheck } from '../../check-fields.ts'

export function SignUpForm({ onDone }: { onDone: (credentials: Credentials) => void }) {
  const sendsMail = useSendsMail()
  const saleMode = useSaleMode()
  // The sample's shop has the specification's words, also where it only keeps its emails.
  const isConfirmationSent = sendsMail || saleMode === 'sample'
  const [problems, setProblems] = useState<FieldProblems>({})
  const [isBusy, submit] = useBusy(async (form) => {
    const credentials = readCredentials(form)
    const complaint =
      (await checkSignUp(credentials, readText(form, 'confirm'))) ?? (await refusalOf(credentials))
    setProblems(complaint?.problems ?? {})
    if (complaint) return toast(complaint.notice)
    toast(isConfirmationSent ? authTexts.accountCreated : authTexts.accountNotConfirmed)
    onDone(credentials)
  })

  return (
    <CredentialsForm isBusy={isBusy} onSubmit={submit} emailProblem={problems['email']}>
      <PasswordField
        label={authTexts.password}
        name="password"
        autoComplete="new-password"
        reservesLine
        hint={passwordRule()}
        problem={problems['password']}
      />
      <PasswordField
        label={authTexts.confirmPassword}
        name="confirm"
        autoComplete="new-password"
        reservesLine
        problem={problems['confirm']}
      />
      <SubmitButton isBusy={isBusy} label={authTexts.signUp} busyLabel={authTexts.creating} />
    </CredentialsForm>
  )
}

async function refusalOf(credentials: Credentials): Promise<Complaint | undefined> {
  const outcome = await signUp(credentials, nextPath(location.search))
  if (!outcome.problem) return undefined
  return { problems: fieldProblems(outcome), notice: signUpFailed(outcome.problem) }
}

type Complaint = { problems: FieldProblems; notice: Toast }

/** The notice names one problem, first that the passwords differ. */
async function checkSignUp(credentials: Credentials, confirmation: string): Promise<Complaint | undefined> {
  const problems = await loadAndCheck(loadSignUpSchema, credentials)
  if (credentials.password !== confirmation) {
    const notice = { ...authTexts.passwordMismatch, destructive: true }
    return { problems: { ...problems, confirm: notice.description }, notice }
  }
  if (!problems) return undefined
  const [first = ''] = Object.values(problems)
  const title = first === passwordTooShort() ? authTexts.passwordTooShort : authTexts.signUpFailed
  return { problems, notice: { title, description: first, destructive: true } }
}

function signUpFailed(description: string): Toast {
  return { title: authTexts.signUpFailed, description, destructive: true }
}
