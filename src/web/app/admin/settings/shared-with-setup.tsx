// The parts of the settings that the setup shows, too: countries of shipping, ways to pay, the shop without Stripe,
// time zones.
import { countryName } from '#contract/orders/postal.ts'
import { X } from '../../../components/icons.tsx'
import { useEffect, useState } from 'react'
import { countriesByName, stripeCountries } from '#contract/orders/countries.ts'
import { Button } from '../../../components/button.tsx'
import { FieldFrame } from '../../../components/field.tsx'
import { Select } from '../../../components/further-fields.tsx'
import { fixedHint, type FormGroup, saveGroup, type SaveResult } from './settings-form.tsx'
import { useNavigation, useSubmit } from 'react-router'
import { z } from 'zod'
import {
  isTimeZone,
  settingValues,
  type SettingValues,
  type SettingsGroup,
} from '#contract/settings/settings.ts'
import { Badge } from '../../../components/note.tsx'

type CountryChipsProps = {
  label: string
  codes: readonly string[]
  what?: string
  note?: ((code: string) => string) | undefined
  onRemove: ((code: string) => void) | undefined
}

export function CountryChips({ label, codes, what = '', note, onRemove }: CountryChipsProps) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2">
      {codes.map((code) => (
        <li
          key={code}
          className="inline-flex min-h-9 items-center rounded-sm border border-line px-3 text-sm has-[button]:pr-1"
        >
          {countryName(code)}
          {note?.(code)}
          {onRemove && (
            <button
              type="button"
              aria-label={`Remove ${what}${countryName(code)}`}
              className="ml-1.5 grid size-7 cursor-pointer place-items-center rounded-sm text-soft hover:bg-ink/7 hover:text-ink"
              onClick={({ currentTarget }) => {
                focusBeside(currentTarget)
                onRemove(code)
              }}
            >
              <X aria-hidden className="size-4" />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

/**
 * Focuses the button of the next country, or of the one before: the button that was pressed goes away with its focus.
 */
function focusBeside(pressed: HTMLElement): void {
  const country = pressed.closest('li')
  const beside = country?.nextElementSibling ?? country?.previousElementSibling
  beside?.querySelector('button')?.focus()
}

export const europeanUnion =
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' ')
export const union = 'EU'

/** Returns the codes of a choice among countries and the Union; of the Union, those that have no price yet. */
export function codesOf(chosen: string, priced: readonly string[]): string[] {
  return chosen === union ? europeanUnion.filter((code) => !priced.includes(code)) : [chosen]
}

const small = 'min-h-9 px-3 py-1 text-sm'
const everyCountry = countriesByName()
const servedByStripe = everyCountry.filter((code) => stripeCountries.has(code))

type ShippingCountriesProps = {
  group: Pick<FormGroup<unknown>, 'variables' | 'problems' | 'markChanged'>
  chosen: readonly string[]
  onChoose: (codes: string[]) => void
}

export function ShippingCountries({ group, chosen, onChoose }: ShippingCountriesProps) {
  const [next, setNext] = useState('')
  const variable = group.variables['countries']
  const others = everyCountry.filter((code) => !chosen.includes(code))
  function choose(codes: readonly string[]) {
    onChoose([...new Set(codes)])
    setNext('')
    group.markChanged()
  }
  const remove = (code: string) => choose(chosen.filter((each) => each !== code))
  return (
    <div className="grid gap-3">
      <input type="hidden" name="countries" value={chosen.join(',')} disabled={variable !== undefined} />
      <FieldFrame
        label="Countries"
        hint={variable ? fixedHint(variable) : 'Addresses in other countries are not accepted.'}
        problem={problemOf(group)}
      >
        {(wired) =>
          variable === undefined && (
            <div className="flex flex-wrap items-end gap-2">
              <div className="min-w-0 grow">
                <Select
                  {...wired}
                  value={next}
                  onChange={({ target }) => setNext(target.value)}
                  options={[
                    { value: '', label: others.length > 0 ? 'Choose a country to add' : 'All are chosen' },
                    ...others.map((code) => ({ value: code, label: countryName(code) })),
                  ]}
                />
              </div>
              <Button look="outline" disabled={!next} onClick={() => choose([...chosen, next])}>
                Add
              </Button>
            </div>
          )
        }
      </FieldFrame>
      <Chosen chosen={chosen} onRemove={variable === undefined ? remove : undefined} />
      {variable === undefined && (
        <p className="flex flex-wrap gap-2">
          <Button look="outline" className={small} onClick={() => choose([...chosen, ...europeanUnion])}>
            Add the European Union
          </Button>
          <Button look="outline" className={small} onClick={() => choose([...chosen, ...servedByStripe])}>
            Add all that Stripe serves
          </Button>
          <Button look="outline" className={small} disabled={chosen.length === 0} onClick={() => choose([])}>
            Remove all
          </Button>
        </p>
      )}
    </div>
  )
}

const maxShown = 40

type ChosenProps = { chosen: readonly string[]; onRemove: ((code: string) => void) | undefined }

function Chosen({ chosen, onRemove }: ChosenProps) {
  if (chosen.length === 0)
    return <p className="text-sm text-soft">None is chosen: books on paper could not be sent.</p>
  const list = <CountryChips label="Chosen countries" codes={chosen} onRemove={onRemove} />
  if (chosen.length <= maxShown) return list
  return (
    <details>
      <summary className="mb-3 cursor-pointer rounded-sm text-sm font-semibold">
        {chosen.length} countries are chosen
      </summary>
      {list}
    </details>
  )
}

function problemOf({ problems }: Pick<FormGroup<unknown>, 'problems'>): string | undefined {
  return Object.entries(problems ?? {}).find(([field]) => field.split('.')[0] === 'countries')?.[1]
}

type Choice = SettingValues['payments']['without_key']

const shown = z.object({ without_key: settingValues.shape.payments.shape.without_key })

function readWithoutKey({ values }: SettingsGroup): Choice {
  return shown.parse(values).without_key
}

export function isGivenAway(group: SettingsGroup): boolean {
  return readWithoutKey(group) === 'free'
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

/** Says in one paragraph where buyers' ways to pay come from. */
export function PaymentMethods() {
  return (
    <>
      Cards, Apple Pay, Google Pay and, where Stripe has it in your country, PayPal: all come through Stripe.
      Switch on what buyers may pay with in{' '}
      <a
        href="https://dashboard.stripe.com/settings/payment_methods"
        target="_blank"
        rel="noreferrer"
        className="rounded-sm underline underline-offset-4"
      >
        Stripe’s dashboard, under Payment methods
      </a>
      .
    </>
  )
}

/** "14:05" in that zone. */
export function timeIn(timeZone: string, at: Date): string {
  const clock = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('en-US', clock).format(at)
}

/** The browser's, where it has a name that the shop can take. */
export function ownTimeZone(): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return isTimeZone(timeZone) && timeZone !== 'Etc/Unknown' ? timeZone : undefined
}

const tickMs = 10_000

/** Goes on while it is shown. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
