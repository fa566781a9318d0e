import { authTexts } from '#words/auth.ts'
import type { ReactNode } from 'react'
import type { Credentials } from '../accounts.ts'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { lazySchema, readText, type useForm } from '../form.ts'

type CredentialsFormProps = { state: ReturnType<typeof useForm<FormData>>; children: ReactNode }

export function CredentialsForm({ state: { form, isBusy, field }, children }: CredentialsFormProps) {
  return (
    <form {...form}>
      <fieldset disabled={isBusy} className="grid gap-3">
        <Field label={authTexts.email} type="email" autoComplete="email" reservesLine {...field('email')} />
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
