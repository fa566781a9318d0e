import { controlsTexts } from '#words/controls.ts'
import { Eye, EyeOff } from './further-icons.tsx'
import { useState, type ComponentProps } from 'react'
import { FieldFrame, type Frame } from './field.tsx'

type PasswordFieldProps = Frame & Omit<ComponentProps<'input'>, 'type'>

export function PasswordField({ label, hint, problem, reservesLine, ...rest }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <FieldFrame label={label} hint={hint} problem={problem} reservesLine={reservesLine}>
      {({ className, ...wired }) => (
        <div className="relative">
          <input
            required
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={`${className} pe-12`}
            {...wired}
            {...rest}
          />
          <button
            type="button"
            aria-label={isShown ? controlsTexts.hidePassword : controlsTexts.showPassword}
            className="absolute inset-y-0 end-0 grid w-12 cursor-pointer place-items-center rounded-md text-soft hover:text-ink"
            onClick={() => setIsShown(!isShown)}
          >
            <Icon aria-hidden className="size-5" />
          </button>
        </div>
      )}
    </FieldFrame>
  )
}
