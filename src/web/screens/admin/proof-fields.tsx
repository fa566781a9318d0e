// The admin proves who asks: by the own password and, where the account has a second factor, its code.
import { giveCode } from '../../accounts.ts'
import { CodeField, FactorChoice, readCode } from '../../code-form.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { readText } from '../../form.ts'
import { ProblemError } from '../../api.ts'
import { useSession } from '../../session.ts'
import { verifiedFactors } from '../../stored-session.ts'

/** What was wrong with the proof; `field` is the one that `problem` is about. */
export type ProofProblem = { field: 'password' | 'code' | undefined; problem: string }

/** The admin has to prove who asks. */
export type AskedProof = { wrong: ProofProblem | undefined }

/** What a refusal asks for; undefined for any other error. */
export function proofAskedBy(error: unknown): AskedProof | undefined {
  if (!(error instanceof ProblemError)) return undefined
  if (error.code === 'auth.invalid_credentials') return { wrong: wrongPassword }
  return isProofNeeded(error.code) ? { wrong: undefined } : undefined
}

/** By the code of a refusal. */
export function isProofNeeded(code: string | undefined): boolean {
  return code === 'auth.reauthentication_needed' || code === 'auth.insufficient_aal'
}

export function ProofFields({ wrong }: { wrong: ProofProblem | undefined }) {
  const session = useSession()
  const own = session ? verifiedFactors(session) : []
  return (
    <>
      <PasswordField
        label="Your own password"
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

/** Undefined where the code was right, or none was asked for. */
export async function giveOwnCode(form: FormData): Promise<ProofProblem | undefined> {
  if (!form.has('code')) return undefined
  const code = readCode(form)
  const problem = code ? (await giveCode(readText(form, 'factor'), code)).problem : 'The code has six digits.'
  return problem ? { field: 'code', problem } : undefined
}

export const wrongPassword: ProofProblem = { field: 'password', problem: 'This is not your password.' }
