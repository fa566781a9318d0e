import { authTexts } from '#words/auth.ts'
import type { ReactNode } from 'react'
import type { Credentials } from './accounts.ts'
import { Button } from './components/button.tsx'
import { Field } from './components/field.tsx'
import { readText, type Submit, lazySchema } from './form.ts'

type CredentialsFormProps = {
  isBusy: boolean
  onSubmit: Submit
  emailProblem: string | undefined
  children: ReactNode
}

export function CredentialsForm({ isBusy, onSubmit, emailProblem, children }: CredentialsFormProps) {
  return (
    <form method="post" noValidate onSubmit={onSubmit}>
      <fieldset disabled={isBusy} className="grid gap-3">
        <Field
          label={authTexts.email}
          name="email"
          type="email"
          autoComplete="email"
          reservesLine
          problem={emailProblem}
        />
        {children}
      </fieldset>
    </form>
  )
}

export function readCredentials(form: FormData): Credentials {
  return { email: readText(form, 'email'), password: readText(form, 'password') }
}

const load = () => import('#contract/accounts/accounts.ts')

export const loadSignUpSchema = lazySchema(async () => (await load()).signUpCredentials)
export const loadSignInSchema = lazySchema(async () => (await load()).signInForm)
export const loadRecoverSchema = lazySchema(async () => (await load()).recoverRequest)
export const loadPasswordSchema = lazySchema(async () => (await load()).newPassword)

type SubmitButtonProps = { isBusy: boolean; label: string; busyLabel: string }

export function SubmitButton({ isBusy, label, busyLabel }: SubmitButtonProps) {
  return (
    <Button busy={isBusy} type="submit" className="min-h-12">
      {isBusy ? busyLabel : label}
    </Button>
  )
}
