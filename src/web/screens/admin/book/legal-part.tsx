import { legalPageNames, neededBlanks, optionalBlanks } from '#features/book/contract/legal.ts'
import type { LegalBlank } from '#features/book/contract/legal.ts'
import { Line, Lines, Tick, type PartProps } from './draft-fields.tsx'
import { blankLabels } from './legal-blanks.ts'
import { LegalPageFields } from './legal-page-fields.tsx'

export function LegalPart(given: PartProps) {
  return (
    <>
      <p className="text-sm text-pretty text-soft">
        These are templates to begin with and no legal advice: please have them checked by somebody who knows
        the law of your country. What the shop stores, and what it promises, it fills in by itself. Pages that
        are switched on are linked at the foot of the site and beside the buy buttons.
      </p>
      {legalPageNames.map((name) => (
        <LegalPageFields key={name} name={name} {...given} />
      ))}
      <fieldset className="grid gap-5">
        <legend className="mb-3 font-semibold">What the templates need</legend>
        {neededBlanks.map((name) => (
          <Blank key={name} name={name} {...given} />
        ))}
      </fieldset>
      <fieldset className="grid gap-5">
        <legend className="mb-3 font-semibold">Where the law asks for it</legend>
        <p className="text-sm text-soft">Lines about what is empty are left out.</p>
        {optionalBlanks.map((name) => (
          <Blank key={name} name={name} {...given} />
        ))}
      </fieldset>
      <Consent {...given} />
    </>
  )
}

function Blank({ name, document, change, problems }: PartProps & { name: LegalBlank }) {
  const Input = name === 'address' ? Lines : Line
  return (
    <Input
      {...blankLabels[name]}
      problem={problems[`legal.blanks.${name}`]}
      value={document.legal.blanks[name]}
      onChange={(value) => change((draft) => void (draft.legal.blanks[name] = value))}
    />
  )
}

function Consent({ document, change, problems }: PartProps) {
  const { is_asked, text } = document.legal.consent
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">Buyers in the European Union</legend>
      <p className="text-sm text-pretty text-soft">
        Consumers there may withdraw from a purchase for 14 days. For digital content this ends with its
        delivery only if the buyer has agreed to that before. Switched on, the shop asks before every purchase
        of something digital, sells it only to those who agree, keeps their consent with the purchase and
        repeats it in the receipt. The terms then explain the right of withdrawal.
      </p>
      <Tick
        label="I sell to consumers in the EU: ask for their consent"
        isTicked={is_asked}
        onChange={(isTicked) => change((draft) => void (draft.legal.consent.is_asked = isTicked))}
      />
      {is_asked && (
        <Lines
          label="What buyers agree to"
          problem={problems['legal.consent.text']}
          value={text}
          onChange={(value) =>
            change((draft) => void (draft.legal.consent.text = value.replaceAll(/\s*\n\s*/g, ' ')))
          }
        />
      )}
    </fieldset>
  )
}
