// Names in the environment that are no setting, but one letter away from one.
import { variables } from './variables.ts'

export type MisspeltSetting = { name: string; meant: string }

const settingNames = Object.keys(variables.shape)

export function findMisspelt(env: Record<string, string | undefined>): MisspeltSetting[] {
  const isSetting = new Set(settingNames)
  return Object.keys(env)
    .filter((name) => !isSetting.has(name))
    .flatMap((name) => {
      const meant = settingNames.find((each) => isOneLetterOff(name, each))
      return meant ? [{ name, meant }] : []
    })
}

export function describeMisspelt({ name, meant }: MisspeltSetting): string {
  return `${name} is not a setting: did you mean ${meant}?`
}

/** One letter too many, too few or another, or two neighbours in the wrong order. */
function isOneLetterOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const restA = a.slice(start)
  const restB = b.slice(start)
  if (a.length > b.length) return restA.slice(1) === restB
  if (a.length < b.length) return restA === restB.slice(1)
  const areSwapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
  return areSwapped || restA.slice(1) === restB.slice(1)
}
