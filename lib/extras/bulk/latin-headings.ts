/** The headings of lists of people in languages of the Latin alphabet, as data. */
import type { HeadingWords } from './heading-words.ts';

export const LATIN_HEADINGS: readonly HeadingWords[] = [
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
    full: `nom|nom complet|prénom nom|prénom et nom|nom affiché|nom d’affichage
      |nom à afficher`,
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
    full: `imię i nazwisko|imię nazwisko|pełne imię i nazwisko|nazwa wyświetlana
      |wyświetlana nazwa`,
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
];
