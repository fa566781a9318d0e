// Second factors, and passkeys as a way to sign in. The first factor brings recovery codes.
import { useState } from 'react'
import type { OwnAccount } from '#contract/accounts/own-account.ts'
import { makeCodes } from '../../factors.ts'
import { AppsPart } from './apps-part.tsx'
import { CodesDialog } from './codes-dialog.tsx'
import { CodesPart } from './codes-part.tsx'
import { PasskeysPart } from './passkeys-part.tsx'
import { useTask } from './use-task.ts'

export function FactorParts({ account: { email, factors } }: { account: OwnAccount }) {
  const [codes, setCodes] = useState<string[]>()
  const { run } = useTask()
  const { apps, passkeys, codes_left } = factors
  const count = apps.length + passkeys.length
  async function followAdded() {
    if (count > 0) return
    const made = await run(() => makeCodes(false))
    setCodes(made?.codes)
  }
  return (
    <>
      <PasskeysPart passkeys={passkeys} isLast={count === 1} onAdded={followAdded} />
      <AppsPart apps={apps} isLast={count === 1} onAdded={followAdded} />
      {count > 0 && <CodesPart left={codes_left} onMade={setCodes} />}
      {codes && <CodesDialog codes={codes} email={email} onClose={() => setCodes(undefined)} />}
    </>
  )
}
