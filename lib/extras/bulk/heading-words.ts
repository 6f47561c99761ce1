/**
 * The headings of lists of people, in 21 languages, as data. Case, accents, spaces and hyphens do
 * not count, nor do the words below the table.
 *
 * Sources: the exports of Outlook, Google Contacts, Apple Contacts, Thunderbird, HubSpot, Salesforce,
 * Mailchimp, Brevo, Eventbrite, Zoom, Teams and others, of which test/extras/bulk has samples; and the
 * names of form fields that Chromium knows (components/autofill, autofill_regex_constants).
 */

/** Headings of one language, separated by `|`. */
export type HeadingWords = {
  readonly language: string;
  readonly address: string;
  /** A column of first names. */
  readonly first: string;
  /** A first name beside a column of surnames; alone, a full name that begins with the given name. */
  readonly firstBesideSurname: string;
  /** A full name that begins with the given name. */
  readonly full: string;
  /** A full name that begins with the family name. */
  readonly familyFirst: string;
  readonly surname: string;
};

export const HEADINGS: readonly HeadingWords[] = [
  {
    language: 'en',
    address: `email|mail|emails|email address|mail address|email addresses|email id|address
      |email value|electronic mail|email contact`,
    first: `first name|given name|forename|christian name|first|given|fname|first names
      |given names|preferred name|preferred first name|name first`,
    firstBesideSurname: '',
    full: `name|full name|display name|complete name|first and last name|first last|names
      |first name and last name|first name last name|name original name|real name`,
    familyFirst: `last first|last name first name|surname first name|surname given name
      |family name given name|file as|sort name|name last first`,
    surname: 'last name|surname|family name|last|lname|name last|last names',
  },
  {
    language: 'de',
    address: 'e-mail-adresse|mailadresse|adresse|e-post|e-mail-adressen|elektronische post',
    first: 'vorname|vornamen|rufname',
    firstBesideSurname: '',
    full: `vollständiger name|vor- und nachname|vorname nachname|vorname und nachname
      |vor- und zuname|vorname und name|vorname name|ganzer name|anzeigename`,
    familyFirst: 'name vorname|nachname vorname|nachname und vorname|name und vorname',
    surname: 'nachname|familienname|zuname',
  },
  {
    language: 'fr',
    address: `courriel|adresse e-mail|adresse mail|adresse courriel|adresse électronique|mél
      |adresse de messagerie|messagerie|adresse de courriel|courrier électronique`,
    first: 'prénom|prénoms|prénom usuel|prénom(s)',
    firstBesideSurname: '',
    full: 'nom|nom complet|prénom nom|prénom et nom|nom affiché|nom d’affichage',
    familyFirst: 'nom prénom|nom et prénom|nom et prénoms|nom de famille et prénom',
    surname: 'nom de famille|patronyme|nom d’usage',
  },
  {
    language: 'es',
    address: `correo|correo electrónico|dirección de correo|dirección de correo electrónico
      |dirección de email|dirección de e-mail|dirección electrónica|correo-e|correos`,
    first: 'nombre de pila|primer nombre',
    firstBesideSurname: 'nombre|nombres|nombre(s)',
    full: `nombre completo|nombre y apellidos|nombre y apellido|nombre apellidos|nombre apellido
      |nombres y apellidos`,
    familyFirst: 'apellidos nombre|apellidos y nombre|apellido y nombre|apellidos y nombres',
    surname: 'apellido|apellidos|primer apellido|apellido(s)',
  },
  {
    language: 'it',
    address: `posta elettronica|indirizzo e-mail|indirizzo mail|indirizzo di posta elettronica
      |indirizzo posta elettronica|indirizzo di e-mail|posta`,
    first: 'nome di battesimo|primo nome',
    firstBesideSurname: 'nome',
    full: 'nome completo|nome e cognome|nome cognome|nome visualizzato',
    familyFirst: 'cognome nome|cognome e nome|nominativo',
    surname: 'cognome|cognomi',
  },
  {
    language: 'pt',
    address: `correio eletrônico|correio eletrónico|correio electrónico|endereço de e-mail
      |endereço eletrônico|endereço eletrónico|endereço de correio eletrónico
      |endereço de correio eletrônico`,
    first: 'primeiro nome|nome próprio',
    firstBesideSurname: 'nome',
    full: 'nome completo|nome e sobrenome|nome e apelido|nome sobrenome|nome de exibição',
    familyFirst: 'sobrenome nome|apelido nome|apelido e nome',
    surname: 'sobrenome|sobrenomes|apelido|apelidos|último nome|nome de família',
  },
  {
    language: 'nl',
    address: 'e-mailadres|mailadres|e-mailadressen|adres',
    first: 'voornaam|voornamen|roepnaam',
    firstBesideSurname: '',
    full: 'naam|volledige naam|voor- en achternaam|voornaam achternaam|weergavenaam',
    familyFirst: 'achternaam voornaam|naam voornaam|achternaam en voornaam',
    surname: 'achternaam|familienaam',
  },
  {
    language: 'sv',
    address: 'e-post|e-postadress|e-postadresser|mejl|mejladress|mailadress|adress',
    first: 'förnamn|tilltalsnamn',
    firstBesideSurname: '',
    full: 'namn|fullständigt namn|hela namnet|för- och efternamn|förnamn efternamn|visningsnamn',
    familyFirst: 'efternamn förnamn|efternamn och förnamn',
    surname: 'efternamn',
  },
  {
    language: 'da',
    address: 'e-mailadresse|mailadresse|e-mailadresser|elektronisk post',
    first: 'fornavn|fornavne',
    firstBesideSurname: '',
    full: 'navn|fulde navn|fuldt navn|for- og efternavn|fornavn efternavn|vist navn',
    familyFirst: 'efternavn fornavn|efternavn og fornavn',
    surname: 'efternavn|efternavne',
  },
  {
    language: 'no',
    address: 'e-postadresse|e-postadresser|epost|epostadresse',
    first: 'fornavn|fornamn',
    firstBesideSurname: '',
    full: 'navn|fullt navn|for- og etternavn|fornavn etternavn|visningsnavn',
    familyFirst: 'etternavn fornavn|etternavn og fornavn',
    surname: 'etternavn|etternamn',
  },
  {
    language: 'fi',
    address: 'sähköposti|sähköpostiosoite|sposti|sähköpostiosoitteet|meili',
    first: 'etunimi|etunimet|kutsumanimi',
    firstBesideSurname: '',
    full: 'nimi|koko nimi|etu- ja sukunimi|etunimi sukunimi|etunimi ja sukunimi|näyttönimi',
    familyFirst: 'sukunimi etunimi|sukunimi ja etunimi|suku- ja etunimi',
    surname: 'sukunimi',
  },
  {
    language: 'pl',
    address: `adres e-mail|adres mailowy|adres poczty elektronicznej|poczta elektroniczna|poczta
      |adres poczty e-mail|adres mail`,
    first: 'imię|imiona|pierwsze imię',
    firstBesideSurname: '',
    full: 'imię i nazwisko|imię nazwisko|pełne imię i nazwisko|nazwa wyświetlana',
    familyFirst: 'nazwisko imię|nazwisko i imię',
    surname: 'nazwisko',
  },
  {
    language: 'cs',
    address: `e-mailová adresa|elektronická pošta|adresa elektronické pošty|e-mail adresa
      |adresa e-mailu|e-maily`,
    first: 'křestní jméno|křestní',
    firstBesideSurname: 'jméno',
    full: 'jméno a příjmení|jméno příjmení|celé jméno|zobrazované jméno',
    familyFirst: 'příjmení jméno|příjmení a jméno',
    surname: 'příjmení',
  },
  {
    language: 'tr',
    address: `e-posta|e-posta adresi|e-mail adresi|mail adresi|elektronik posta
      |elektronik posta adresi|e-postalar`,
    first: 'ilk ad|ilk adı|ön ad|ön adı',
    firstBesideSurname: 'ad|adı|adınız|isim|ismi',
    full: `ad soyad|adı soyadı|adınız soyadınız|ad ve soyad|adı ve soyadı|isim soyisim|tam ad
      |tam adı|görünen ad`,
    familyFirst: 'soyad ad|soyadı adı|soyisim isim',
    surname: 'soyad|soyadı|soyadınız|soyisim',
  },
  {
    language: 'ru',
    address: `эл. почта|электронная почта|почта|адрес электронной почты|e-mail адрес|адрес e-mail
      |емейл|имейл|адрес эл. почты|эл. адрес|электронный адрес|мейл|мэйл`,
    first: '',
    firstBesideSurname: 'имя',
    full: 'имя и фамилия|имя фамилия|полное имя|отображаемое имя',
    familyFirst: `фио|ф. и. о.|фамилия имя|фамилия и имя|фамилия имя отчество
      |фамилия имя и отчество`,
    surname: 'фамилия',
  },
  {
    language: 'el',
    address: `ηλεκτρονικό ταχυδρομείο|διεύθυνση e-mail|διεύθυνση ηλεκτρονικού ταχυδρομείου
      |ηλ. ταχυδρομείο|ηλεκτρονική διεύθυνση|διεύθυνση ηλ. ταχυδρομείου|ηλ. διεύθυνση`,
    first: 'μικρό όνομα|βαπτιστικό|βαπτιστικό όνομα',
    firstBesideSurname: 'όνομα',
    full: 'ονοματεπώνυμο|πλήρες όνομα|όνομα και επώνυμο|όνομα επώνυμο|εμφανιζόμενο όνομα',
    familyFirst: 'επώνυμο όνομα|επώνυμο και όνομα|επίθετο όνομα',
    surname: 'επώνυμο|επίθετο',
  },
  {
    language: 'ja',
    address: `メール|メールアドレス|eメール|eメールアドレス|電子メール|電子メールアドレス|メアド
      |email アドレス|mail アドレス`,
    first: '名|下の名前|ファーストネーム|名 漢字',
    firstBesideSurname: '名前',
    full: 'お名前|表示名',
    familyFirst: '氏名|姓名|フルネーム|氏名 漢字|お名前 漢字|ご氏名',
    surname: '姓|苗字|名字|姓 漢字',
  },
  {
    language: 'zh',
    address: `邮箱|电子邮箱|电子邮件|邮件|邮箱地址|电子邮件地址|邮件地址|电邮|电邮地址|电子邮箱地址
      |郵箱|電子郵箱|電子郵件|郵件|電子郵件地址|電郵|電郵地址|電子信箱|信箱|email 地址`,
    first: '名',
    firstBesideSurname: '名字',
    full: '显示名称|顯示名稱',
    familyFirst: '姓名|全名|中文姓名',
    surname: '姓|姓氏',
  },
  {
    language: 'ko',
    address: `이메일|이메일 주소|메일|메일 주소|전자우편|전자 우편|전자 메일|전자 메일 주소|e메일
      |전자 우편 주소`,
    first: '',
    firstBesideSurname: '이름',
    full: '표시 이름',
    familyFirst: '성명|성함|전체 이름',
    surname: '성|성씨',
  },
  {
    language: 'ar',
    address: `البريد الإلكتروني|البريد الالكتروني|بريد إلكتروني|عنوان البريد الإلكتروني|البريد
      |عنوان البريد الالكتروني|الإيميل|إيميل|بريد الكتروني`,
    first: 'الاسم الأول|الإسم الأول',
    firstBesideSurname: 'الاسم|اسم|الإسم',
    full: 'الاسم الكامل|الاسم بالكامل|الإسم الكامل|اسم العرض',
    familyFirst: '',
    surname: 'اسم العائلة|الكنية|اللقب|الاسم الأخير|لقب',
  },
  {
    language: 'he',
    address: `דוא"ל|דואל|אימייל|מייל|דואר אלקטרוני|כתובת דוא"ל|כתובת אימייל|כתובת מייל
      |כתובת דואר אלקטרוני|אי-מייל`,
    first: 'שם פרטי',
    firstBesideSurname: 'שם',
    full: 'שם מלא|שם ושם משפחה|שם פרטי ומשפחה|שם פרטי ושם משפחה|שם תצוגה',
    familyFirst: 'שם משפחה ושם פרטי|שם משפחה שם פרטי',
    surname: 'שם משפחה|משפחה',
  },
];

/** Words of a guest. Beside such an address, one without is that of who has ordered. */
export const GUESTS = `attendee attendees guest guests participant participants registrant invitee
  ticket teilnehmer teilnehmerin teilnehmende gast gäste invité billet participante asistente invitado
  partecipante ospite invitato biglietto convidado ingresso deelnemer deltagare gäst deltager gæst
  deltaker gjest osallistuja vieras uczestnika uczestnik gościa účastníka účastník hosta katılımcı
  misafir участника участник гостя συμμετέχοντα`;

/** Words of anybody in a list. */
export const CONTACTS = `customer contact contacts subscriber member user recipient client student
  delegate person people lead kunde kunden kontakt cliente contacto contatto contato klant kund
  asiakas klienta klient müşteri клиента клиент πελάτη`;

/** Words of somebody who may have ordered for guests. */
export const PAYERS = `buyer purchaser billing payer shipping acheteur payeur besteller käufer rechnung
  comprador acquirente koper köpare køber kjøper ostaja`;

/** Words that change nothing. */
export const NEUTRAL = `primary main default preferred current personal private profile your his her
  their what is and enter please required optional pflichtfeld obligatoire obligatorio the of a an and value s 1 privat private geschäftlich dienstlich primäre primär haupt ihre ihr
  der des die professionnel professionnelle personnel personnelle principal principale votre du de la
  le l d personale tuo tua seu do da pessoal persoonlijk uw prywatny osobní kişisel личный личная ваш
  ваша ваше`;

/** Words of a place. Beside *name* they make it the name of a company. */
export const PLACES = `work business office company home arbeit firma travail entreprise trabajo
  empresa lavoro azienda trabalho werk zakelijk bedrijf arbete arbejde jobb työ służbowy pracovní iş
  рабочий рабочая εργασίας`;

/** Words of a second address of the same person. */
export const SECONDARY = `secondary second alternate alternative additional other extra zweite weitere
  alternativ alternative zusätzlich zusätzliche autre secondaire secundario secundaria otro otra
  secondario secondaria altra altro secundário secundária outro outra tweede andere alternatief
  annan anden annen toinen druga inny další druhý ikinci diğer другой другая дополнительный
  дополнительная`;

/** Words of another person, who is not the guest. */
export const OTHERS = `owner owners owned manager managers assistant assistants partner partners
  spouse created creator author modified updated edited invited inviter by referrer referred referral
  sender rep representative host hosts organizer organiser agent supervisor boss parent guardian
  emergency assigned assignee assigner seller salesperson responsible from reply
  besitzer inhaber eigentümer zuständig zuständige betreuer erstellt eingeladen von vorgesetzter
  vorgesetzte assistent assistentin sachbearbeiter manager angelegt geändert
  propriétaire responsable créé créateur gestionnaire assistant par conjoint
  propietario propietaria creado por gerente jefe proprietario creato responsabile
  assistente proprietário criado por gerente responsável eigenaar beheerder door aangemaakt
  ägare skapad av ejer oprettet af eier opprettet omistaja luonut właściciel utworzył przez opiekun
  vlastník vytvořil sahibi oluşturan yönetici владелец ответственный создал менеджер автор
  руководитель υπεύθυνος ιδιοκτήτης 担当者 所有者 作成者 负责人 創建人 创建人 创建者 담당자 소유자 작성자
  المالك المسؤول בעלים מנהל`;

/** Words beside *email* of a column that holds something else about it. */
export const NO_ADDRESSES = `name names type label status display consent domain opt opted sent opened
  clicked count date time verified subject id bounced marketing nom typ nombre nome tipo anzeigename
  étiquette statut estado stato`;
