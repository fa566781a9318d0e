// One finding a line, or all as JSON. No secret is in either.
import { failureReason } from '#platform/errors.ts'

/** `wrong` is what stops sales, mail or saving. `open` could not be looked at. */
type State = 'ok' | 'warn' | 'wrong' | 'open'

export type Verdict = { state: State; says: string; advice?: string }

type Finding = Verdict & { name: string }

export const ok = (says: string): Verdict => ({ state: 'ok', says })
export const warn = (says: string, advice: string): Verdict => ({ state: 'warn', says, advice })
export const wrong = (says: string, advice: string): Verdict => ({ state: 'wrong', says, advice })
export const unknown = (says: string, advice: string): Verdict => ({ state: 'open', says, advice })

export type Report = {
  add(name: string, check: () => Promise<Verdict> | Verdict, advice?: string): Promise<void>
  isAllGood(): boolean
  hide(secrets: readonly (string | undefined)[]): void
  end(): void
}

/** A shorter one could be a part of any word. */
const minSecretLength = 4

export function openReport({ isJson }: { isJson: boolean }): Report {
  const findings: Finding[] = []
  const hidden = new Set<string>()
  const clean = (text: string) => {
    const maxFirst = [...hidden].toSorted((a, b) => b.length - a.length)
    return maxFirst
      .reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text)
      .replaceAll(/\s*\n\s*/g, ' ')
  }
  const isAllGood = () => findings.every(({ state }) => state !== 'wrong')
  return {
    async add(name, check, advice = '') {
      const verdict = await attempt(check, advice)
      const finding = { name, ...verdict, says: clean(verdict.says) }
      findings.push(finding)
      if (!isJson) console.log(lineOf(finding))
    },
    isAllGood,
    hide: (secrets) => {
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

async function attempt(check: () => Promise<Verdict> | Verdict, advice: string): Promise<Verdict> {
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
