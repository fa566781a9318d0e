import { useNavigation, useSubmit } from 'react-router'
import { z } from 'zod'
import { settingValues, type SettingValues } from '#contract/operations/setting-groups.ts'
import type { SettingsGroup } from '#contract/operations/settings.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { saveGroup, type SaveResult } from './settings-form.tsx'

type Choice = SettingValues['payments']['without_key']

const shown = z.object({ without_key: settingValues.shape.payments.shape.without_key })

export function readWithoutKey({ values }: SettingsGroup): Choice {
  return shown.parse(values).without_key
}

export function isWithoutKey(form: FormData): boolean {
  return form.has('without_key')
}

export function saveWithoutKey(request: Request): Promise<SaveResult> {
  return saveGroup({ group: 'payments', schema: shown }, request)
}

const choices: { choice: Choice; title: string; about: string; action: string }[] = [
  {
    choice: 'not_for_sale',
    title: 'Not for sale yet',
    about: 'The cards say “Available soon”. Nobody can buy until you connect Stripe.',
    action: 'Don’t sell it yet',
  },
  {
    choice: 'free',
    title: 'Free for everybody',
    about:
      'The cards say “Free”, and anyone who asks for the book gets it at once. Printed books are free too: you pay the postage.',
    action: 'Give it to everybody',
  },
]

type WithoutKeyProps = { found: SettingsGroup; result: SaveResult | undefined }

export function WithoutKey({ found, result }: WithoutKeyProps) {
  const without_key = readWithoutKey(found)
  const submit = useSubmit()
  const isBusy = useNavigation().formMethod !== undefined
  function choose(choice: Choice) {
    void submit({ base: JSON.stringify(found), without_key: choice }, { method: 'post' })
  }
  return (
    <>
      <ul aria-label="Your own book without Stripe" className="grid gap-3 sm:grid-cols-2">
        {choices.map(({ choice, title, about, action }) => {
          const isChosen = choice === without_key
          return (
            <li
              key={choice}
              className={`flex flex-col gap-2 rounded-md border p-4 ${isChosen ? 'border-gold ring-1 ring-gold' : 'border-line'}`}
            >
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
                {title}
                {isChosen && <Badge look="highlighted">chosen</Badge>}
              </p>
              <p className="grow text-sm text-pretty text-soft">{about}</p>
              {!isChosen && (
                <p>
                  <Button look="outline" disabled={isBusy} onClick={() => choose(choice)}>
                    {isBusy ? 'Saving...' : action}
                  </Button>
                </p>
              )}
            </li>
          )
        })}
      </ul>
      {result?.isSaved === false && result.conflict && (
        <p role="alert" className="mt-3 text-sm text-danger">
          Another admin has just changed this. The current choice is marked.
        </p>
      )}
    </>
  )
}
