import type { ComponentProps } from 'react'

export function Container({ isText, className = '', ...rest }: ComponentProps<'div'> & { isText?: boolean }) {
  const width = isText ? 'max-w-[44rem]' : 'max-w-[76rem]'
  return <div className={`mx-auto w-full ${width} px-5 sm:px-8 ${className}`} {...rest} />
}
