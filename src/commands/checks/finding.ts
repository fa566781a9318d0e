import { failureReason } from '#platform/errors.ts'

/** `wrong` is what stops sales, mail or saving. `open` could not be looked at. */
type State = 'ok' | 'warn' | 'wrong' | 'open'

export type Verdict = { state: State; says: string; advice?: string }

type Finding = Verdict & { name: string }

export const ok = (says: string): Verdict => ({ state: 'ok', says })
export const warn = (says: string, advice: string): Verdict => ({ state: 'warn', says, advice })
export const wrong = (says: string, advice: string): Verdict => ({ state: 'wrong', says, advice })
export const unknown = (says: string, advice: string): Verdict => ({ state: 'open', says, advice })

export type Report = ReturnType<typeof openReport>

type Check = () => Promise<Verdict> | Verdict

/** A shorter one could be a part of any word. */
const minSecretLength = 4

export function openReport({ isJson }: { isJson: boolean }) {
  const findings: Finding[] = []
  const hidden = new Set<string>()
  const clean = (text: string) => {
    const byLength = [...hidden].toSorted((a, b) => b.length - a.length)
    return byLength
      .reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text)
      .replaceAll(/\s*\n\s*/g, ' ')
  }
  const isAllGood = () => findings.every(({ state }) => state !== 'wrong')
  return {
    async add(name: string, check: Check, advice = ''): Promise<void> {
      const verdict = await attempt(check, advice)
      const finding = { name, ...verdict, says: clean(verdict.says) }
      findings.push(finding)
      if (!isJson) console.log(lineOf(finding))
    },
    isAllGood,
    hide(secrets: readonly (string | undefined)[]) {
      for (const secret of secrets) {
        if (!secret || secret.length < minSecretLength) continue
        hidden.add(secret)
        hidden.add(encodeURIComponent(secret))
      }
    },
    end() {
      if (isJson) console.log(JSON.stringify({ is_good: isAllGood(), findings }, undefined, 2))
    },
  }
}

async function attempt(check: Check, advice: string): Promise<Verdict> {
  try {
    return await check()
  } catch (error) {
    return wrong(failureReason(error), advice)
  }
}

function lineOf({ name, state, says, advice }: Finding): string {
  const end = advice ? `${/[.?!]$/.test(says) ? '' : '.'} ${advice}` : ''
  return `${state.padEnd(6)} ${name}: ${says}${end}`
}
