import { giveCode } from '../../accounts.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { CodeField, FactorChoice, readCode } from '../../code-form.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { failure } from '../../copy.ts'
import { readText } from '../../form.ts'
import { useSession } from '../../session.ts'
import { verifiedFactors } from '../../stored-session.ts'
import { toast } from '../../toasts.tsx'

/** `field` is undefined where a toast has shown the failure. */
export type ProofProblem = { field: 'password' | 'code' | undefined; problem: string }

export function ProofFields({ wrong }: { wrong: ProofProblem | undefined }) {
  const session = useSession()
  const own = session ? verifiedFactors(session) : []
  return (
    <>
      <PasswordField
        label="Your password"
        name="current_password"
        autoComplete="current-password"
        maxLength={200}
        problem={wrong?.field === 'password' ? wrong.problem : undefined}
      />
      {own.length > 0 && (
        <>
          <FactorChoice factors={own} />
          <CodeField problem={wrong?.field === 'code' ? wrong.problem : undefined} />
        </>
      )}
    </>
  )
}

export async function giveProof(form: FormData): Promise<ProofProblem | undefined> {
  try {
    const problem = form.has('code') ? await codeProblem(form) : undefined
    if (problem) return { field: 'code', problem }
    await responseOf(api.me.proof.$post({ json: { current_password: readText(form, 'current_password') } }))
    return undefined
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'auth.invalid_credentials')
      return { field: 'password', problem: 'That’s not your password.' }
    const notice = failure('Couldn’t confirm', error)
    toast(notice)
    return { field: undefined, problem: notice.title }
  }
}

async function codeProblem(form: FormData): Promise<string | undefined> {
  const code = readCode(form)
  return code ? (await giveCode(readText(form, 'factor'), code)).problem : 'The code has six digits.'
}
