import { findAccentFault, paletteOf } from '#contract/book/looks.ts'
import { Button } from '../../../components/button.tsx'
import { FieldFrame } from '../../../components/field.tsx'
import { Tick, type PartProps } from './draft-fields.tsx'

export function Accent({ document: { looks }, change, problems }: PartProps) {
  const { accent } = looks
  const set = (color: string | null) => change((draft) => void (draft.looks.accent = color))
  const fault = findAccentFault(looks)
  return (
    <div className="grid gap-4">
      <Tick
        label="Custom accent color"
        isTicked={accent !== null}
        onChange={(isTicked) => set(isTicked ? paletteOf(looks).gold_text[0] : null)}
      />
      {accent !== null && (
        <FieldFrame
          label="Accent"
          hint="For ornaments, links and marks, also in emails. On dark screens it is lightened."
          problem={fault?.says ?? problems['looks.accent']}
        >
          {(wired) => (
            <span className="mt-1.5 flex items-center gap-3">
              <input
                {...wired}
                type="color"
                className="h-11 w-20 cursor-pointer rounded-md border border-edge bg-surface p-1"
                value={accent}
                onChange={({ currentTarget }) => set(currentTarget.value)}
              />
              <code>{accent}</code>
              {fault && (
                <Button look="outline" onClick={() => set(fault.readable)}>
                  Use {fault.readable}
                </Button>
              )}
            </span>
          )}
        </FieldFrame>
      )}
    </div>
  )
}
