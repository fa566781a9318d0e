// Second factors, and passkeys as a way to sign in. The first factor brings recovery codes.
import { factorsTexts } from '#words/factors.ts'
import { useState } from 'react'
import { fill } from '#words/texts.ts'
import type { OwnFactors, OwnAccount } from '#contract/accounts/own-account.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../card.tsx'
import { removeApp, startApp, type NewApp, makeCodes, AppDialog, FactorList } from './factor-list.tsx'
import { fillParts } from '../../format/fill-parts.tsx'
import { formatDate, Time } from '../../format/format.tsx'
import { RemoveFactor, useTask } from './remove-factor.tsx'
import { CodesDialog, CodesPart } from './recovery-codes.tsx'
import { PasskeysPart } from './passkeys.tsx'

type AppsPartProps = { apps: OwnFactors['apps']; isLast: boolean; onAdded: () => Promise<void> }

function AppsPart({ apps, isLast, onAdded }: AppsPartProps) {
  const texts = factorsTexts.apps
  const [app, setApp] = useState<NewApp>()
  const [removed, setRemoved] = useState<string>()
  const { isBusy, run } = useTask()
  const items = apps.map(({ id, created_at }, n) => ({
    id,
    name: fill(texts.name, { number: n + 1 }),
    about: fillParts(texts.added, { date: <Time at={created_at} format={formatDate} /> }),
  }))
  return (
    <Card title={texts.title} contentClass="grid gap-4 p-5">
      <p className="text-pretty">{texts.text}</p>
      {items.length > 0 && (
        <FactorList label={texts.title} items={items} onRemove={({ id }) => setRemoved(id)} />
      )}
      <p>
        <Button
          look="outline"
          className="max-sm:w-full"
          disabled={isBusy}
          onClick={() => void run(startApp).then((started) => setApp(started?.app))}
        >
          {texts.add}
        </Button>
      </p>
      {app && (
        <AppDialog
          app={app}
          onAdded={() => {
            setApp(undefined)
            void onAdded()
          }}
          onClose={() => setApp(undefined)}
        />
      )}
      {removed && (
        <RemoveFactor
          texts={texts}
          isLast={isLast}
          remove={() => removeApp(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Card>
  )
}

export function FactorParts({ account: { email, factors } }: { account: OwnAccount }) {
  const [codes, setCodes] = useState<string[]>()
  const { run } = useTask()
  const { apps, passkeys, codes_left } = factors
  const count = apps.length + passkeys.length
  async function followAdded() {
    if (count > 0) return
    const codes = await run(() => makeCodes(false))
    setCodes(codes?.codes)
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
