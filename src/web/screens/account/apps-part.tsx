import { factorsTexts } from '#words/factors.ts'
import { fill } from '#words/fill.ts'
import { useState } from 'react'
import type { OwnFactors } from '#contract/accounts/own-factors.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { removeApp, startApp, type NewApp } from '../../factors.ts'
import { fillParts } from '../../fill-parts.tsx'
import { formatDate } from '../../format.ts'
import { Time } from '../../time.tsx'
import { AppDialog } from './app-dialog.tsx'
import { FactorList } from './factor-list.tsx'
import { RemoveFactor } from './remove-factor.tsx'
import { useTask } from './use-task.ts'

type AppsPartProps = { apps: OwnFactors['apps']; isLast: boolean; onAdded: () => Promise<void> }

export function AppsPart({ apps, isLast, onAdded }: AppsPartProps) {
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
