// The book's cover as a picture. Hidden from screen readers, unless it is given a text.
import type { ComponentProps } from 'react'
import cover from './generated/cover.svg?url'

export function Cover(props: ComponentProps<'img'>) {
  return <img src={cover} width={1100} height={1700} alt="" {...props} />
}
