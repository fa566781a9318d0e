import { countryName } from '#contract/orders/postal.ts'
import { X } from '../../../components/icons.tsx'

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

/** Of the next country, or of the one before: the button that was pressed goes away with its focus. */
function focusBeside(pressed: HTMLElement): void {
  const country = pressed.closest('li')
  const beside = country?.nextElementSibling ?? country?.previousElementSibling
  beside?.querySelector('button')?.focus()
}
