// What the author writes to readers in messages, as the shop suggests it, in the languages that it has texts in.
type Answers = {
  download: string
  signed: string
  refund: string
  /** Asks the mailbox of an order about a message that came from another one. */
  question: { subject: string; body: string }
}

const english: Answers = {
  download:
    'Thank you for buying the book. You find it in the shop: sign in with this address, and download it beside your purchase. Without a password, ask for a code on the sign-in page.',
  signed:
    'Thank you for asking. I gladly sign a copy for you. Please tell me the name that I should write into it.',
  refund:
    'I am sorry that the book is not what you hoped for. You can ask for a refund beside your purchase in the shop.',
  question: {
    subject: 'Your order {order}',
    body: 'Hello,\n\nsomebody has asked us for order {order} and wrote from another address. Was it you? If so, please reply to this email from this mailbox, with the address that the order should have.\n\nIf it was not you, nothing changes, and there is nothing you need to do.',
  },
}

const answers: Record<string, Answers> = {
  en: english,
  de: {
    download:
      'Vielen Dank für Ihren Kauf. Sie finden das Buch im Shop: Melden Sie sich mit dieser E-Mail-Adresse an und laden Sie es neben Ihrem Kauf herunter. Wenn Sie kein Passwort haben, lassen Sie sich auf der Anmeldeseite einen Code senden.',
    signed:
      'Vielen Dank für Ihre Anfrage. Gern signiere ich ein Exemplar für Sie. Bitte nennen Sie mir den Namen, den ich hineinschreiben soll.',
    refund:
      'Es tut mir leid, dass das Buch Ihre Erwartungen nicht erfüllt. Eine Erstattung können Sie im Shop neben Ihrem Kauf anfordern.',
    question: {
      subject: 'Ihre Bestellung {order}',
      body: 'Guten Tag,\n\njemand hat uns nach der Bestellung {order} gefragt und von einer anderen Adresse geschrieben. Waren Sie das? Dann antworten Sie bitte aus diesem Postfach auf diese E-Mail und nennen Sie die Adresse, die für die Bestellung gelten soll.\n\nWenn Sie es nicht waren, ändert sich nichts, und Sie müssen nichts tun.',
    },
  },
  es: {
    download:
      'Gracias por comprar el libro. Lo encontrará en la tienda: inicie sesión con esta dirección y descárguelo junto a su compra. Si no tiene contraseña, pida un código en la página de inicio de sesión.',
    signed:
      'Gracias por preguntar. Con mucho gusto le firmo un ejemplar. Indíqueme, por favor, el nombre que debo escribir en él.',
    refund:
      'Lamento que el libro no sea lo que usted esperaba. Puede solicitar el reembolso junto a su compra en la tienda.',
    question: {
      subject: 'Su pedido {order}',
      body: 'Hola:\n\nAlguien nos ha preguntado por el pedido {order} y escribió desde otra dirección. ¿Fue usted? En ese caso, responda a este correo desde este buzón e indique la dirección que debe tener el pedido.\n\nSi no fue usted, nada cambia y no tiene que hacer nada.',
    },
  },
  fr: {
    download:
      'Merci d’avoir acheté le livre. Vous le trouverez dans la boutique\u00a0: connectez-vous avec cette adresse, puis téléchargez-le à côté de votre achat. Si vous n’avez pas de mot de passe, demandez un code sur la page de connexion.',
    signed:
      'Merci pour votre demande. Je vous dédicace volontiers un exemplaire. Veuillez m’indiquer le nom que je dois y écrire.',
    refund:
      'Je regrette que le livre ne réponde pas à vos attentes. Vous pouvez demander un remboursement à côté de votre achat dans la boutique.',
    question: {
      subject: 'Votre commande {order}',
      body: 'Bonjour,\n\nQuelqu’un nous a écrit depuis une autre adresse au sujet de la commande {order}. Était-ce vous\u00a0? Si oui, répondez à cet e-mail depuis cette boîte aux lettres en indiquant l’adresse que la commande doit avoir.\n\nSi ce n’était pas vous, rien ne change et vous n’avez rien à faire.',
    },
  },
  it: {
    download:
      'Grazie per l’acquisto del libro. Lo trova nel negozio: acceda con questo indirizzo e lo scarichi accanto al Suo acquisto. Se non ha una password, chieda un codice nella pagina di accesso.',
    signed:
      'Grazie per la richiesta. Le dedico volentieri una copia. Mi indichi per favore il nome che devo scrivervi.',
    refund:
      'Mi dispiace che il libro non sia quello che sperava. Può chiedere un rimborso accanto al Suo acquisto nel negozio.',
    question: {
      subject: 'Il Suo ordine {order}',
      body: 'Buongiorno,\n\nqualcuno ci ha chiesto dell’ordine {order} scrivendo da un altro indirizzo. Era Lei? In tal caso risponda a questa e-mail da questa casella, indicando l’indirizzo che l’ordine deve avere.\n\nSe non era Lei, non cambia nulla e non deve fare nulla.',
    },
  },
  ja: {
    download:
      '本をご購入いただき、ありがとうございます。本はショップにあります。このメールアドレスでログインし、購入の横からダウンロードしてください。パスワードをお持ちでない場合は、ログインページでコードをお求めください。',
    signed:
      'お問い合わせありがとうございます。喜んで本にサインいたします。本に書き入れるお名前をお知らせください。',
    refund: '本がご期待に沿えず、申し訳ありません。返金は、ショップの購入の横から申し込むことができます。',
    question: {
      subject: 'ご注文 {order} について',
      body: 'こんにちは。\n\nご注文 {order} について、別のアドレスからお問い合わせがありました。ご本人様でしょうか。その場合は、このメールボックスからこのメールに返信し、ご注文に登録するアドレスをお知らせください。\n\nお心当たりがない場合は、何も変わりませんので、ご対応は不要です。',
    },
  },
  nl: {
    download:
      'Bedankt voor het kopen van het boek. U vindt het in de winkel: log in met dit adres en download het naast uw aankoop. Hebt u geen wachtwoord, vraag dan op de inlogpagina om een code.',
    signed:
      'Bedankt voor uw vraag. Ik signeer graag een exemplaar voor u. Wilt u mij de naam geven die ik erin moet schrijven?',
    refund:
      'Het spijt me dat het boek niet is wat u ervan had gehoopt. U kunt naast uw aankoop in de winkel uw geld terugvragen.',
    question: {
      subject: 'Uw bestelling {order}',
      body: 'Hallo,\n\niemand heeft ons naar bestelling {order} gevraagd en schreef vanaf een ander adres. Was u dat? Beantwoord deze e-mail dan vanuit deze mailbox en noem het adres dat de bestelling moet hebben.\n\nWas u het niet, dan verandert er niets en hoeft u niets te doen.',
    },
  },
  pl: {
    download:
      'Dziękuję za zakup książki. Znajdziesz ją w sklepie: zaloguj się tym adresem i pobierz ją obok swojego zakupu. Jeśli nie masz hasła, poproś o kod na stronie logowania.',
    signed:
      'Dziękuję za pytanie. Chętnie podpiszę dla Ciebie egzemplarz. Podaj mi, proszę, imię, które mam w nim wpisać.',
    refund:
      'Przykro mi, że książka nie spełnia Twoich oczekiwań. O zwrot pieniędzy możesz poprosić w sklepie, obok swojego zakupu.',
    question: {
      subject: 'Twoje zamówienie {order}',
      body: 'Dzień dobry,\n\nktoś zapytał nas o zamówienie {order}, pisząc z innego adresu. Czy to Ty? Jeśli tak, odpowiedz na tę wiadomość z tej skrzynki i podaj adres, który ma mieć zamówienie.\n\nJeśli to nie Ty, nic się nie zmienia i nie musisz nic robić.',
    },
  },
  pt: {
    download:
      'Agradeço a compra do livro. Você o encontra na loja: entre com este endereço e baixe o livro ao lado da sua compra. Se não tiver senha, peça um código na página de entrada.',
    signed:
      'Agradeço a pergunta. Com prazer autografo um exemplar para você. Diga-me, por favor, o nome que devo escrever nele.',
    refund:
      'Lamento que o livro não seja o que você esperava. Você pode pedir o reembolso ao lado da sua compra na loja.',
    question: {
      subject: 'Seu pedido {order}',
      body: 'Olá,\n\nalguém nos perguntou sobre o pedido {order} e escreveu de outro endereço. Foi você? Se sim, responda a este e-mail a partir desta caixa postal, com o endereço que o pedido deve ter.\n\nSe não foi você, nada muda e você não precisa fazer nada.',
    },
  },
}

/** English in a language that the shop has no texts in. */
export function standardAnswers(language: string): Answers {
  return answers[language.split('-', 1)[0]?.toLowerCase() ?? ''] ?? english
}
