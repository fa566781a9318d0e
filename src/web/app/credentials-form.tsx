import { authTexts } from '#words/auth.ts'
import { fieldsTexts } from '#words/fields.ts'
import { passwordProblem, typedAddressProblem } from '#contract/credentials.ts'
import { findProblems } from '#contract/field-problems.ts'
import type { ReactNode } from 'react'
import type { Credentials } from '../accounts.ts'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { readText, type Check, type Checked, type useForm } from '../form.ts'

type CredentialsFormProps = {
  state: Pick<ReturnType<typeof useForm<Credentials>>, 'form' | 'isBusy'> & {
    field: (name: 'email') => object
  }
  children: ReactNode
}

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

export const checkSignIn: Check<Credentials> = (form) =>
  checkCredentials(form, (password) => (password === '' ? fieldsTexts.required : undefined))

export const checkSignUp: Check<Credentials> = (form) => checkCredentials(form, passwordProblem)

function checkCredentials(
  form: HTMLFormElement,
  problemOf: (password: string) => string | undefined,
): Checked<Credentials> {
  const entered = new FormData(form)
  const values = { email: readText(entered, 'email'), password: readText(entered, 'password') }
  const problems = findProblems({
    email: typedAddressProblem(values.email),
    password: problemOf(values.password),
  })
  return problems ? { problems } : { values }
}

type SubmitButtonProps = { isBusy: boolean; label: string; busyLabel: string }

export function SubmitButton({ isBusy, label, busyLabel }: SubmitButtonProps) {
  return (
    <Button busy={isBusy} type="submit" className="min-h-12">
      {isBusy ? busyLabel : label}
    </Button>
  )
}
