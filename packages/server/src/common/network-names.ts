/**
 * Names of networks by their number (ASN): the clouds, hosters, content networks, VPN providers and companies that crawlers and their
 * impersonators come from, and the largest access networks. Any other network is shown by its number.
 *
 * Numbers and names are facts. The table was written for this project from general knowledge, is no copy of a registry's or a vendor's
 * data, and has the licence of the project (Apache-2.0). It does not follow sales and renamings of companies by itself.
 */

/** One network a line: number, then name. */
const TABLE = `
# Crawlers, platforms and companies
714 Apple
2635 Automattic
2906 Netflix
3598 Microsoft
4224 Calyx Institute
6185 Apple
6507 Riot Games
7941 Internet Archive
8068 Microsoft
8069 Microsoft
8070 Microsoft
8075 Microsoft
10310 Yahoo
11643 eBay
12076 Microsoft Azure
13238 Yandex
13414 X (Twitter)
14340 Salesforce
14413 LinkedIn
15169 Google
15224 Adobe
17012 PayPal
19527 Google
19679 Dropbox
22577 Google
23576 Naver
26101 Yahoo
27647 Weebly
32590 Valve
32934 Meta
36040 YouTube
36384 Google
36459 GitHub
36492 Google
36561 YouTube
36646 Yahoo
38365 Baidu
40027 Netflix
43037 Seznam.cz
43515 YouTube
46489 Twitch
47541 VK
47764 VK
53620 Pinterest
53831 Squarespace
54115 Meta
55967 Baidu
57976 Blizzard
58182 Wix
62679 Shopify
63293 Meta
138699 TikTok
139070 Google
139190 Google
209366 Semrush
396986 ByteDance
398324 Censys
398705 Censys
398722 Censys
399358 Anthropic

# Clouds
7160 Oracle
7224 Amazon
8987 Amazon
12876 Scaleway
14061 DigitalOcean
14618 Amazon
16509 Amazon
16550 Google Cloud
20473 Vultr
25697 UpCloud
29802 Hivelocity
31898 Oracle Cloud
36351 IBM Cloud
37963 Alibaba Cloud
38895 Amazon
40509 Fly.io
45090 Tencent Cloud
45102 Alibaba Cloud
46652 DigitalOcean
49505 Selectel
50340 Selectel
54825 Equinix Metal
55990 Huawei Cloud
59019 Kingsoft Cloud
61098 Exoscale
62567 DigitalOcean
63949 Akamai (Linode)
132203 Tencent Cloud
134963 Alibaba Cloud
135377 UCloud
136907 Huawei Cloud
137718 Volcano Engine
200350 Yandex Cloud
202053 UpCloud
396356 Latitude.sh
396982 Google Cloud

# Content networks and protection
12222 Akamai
13335 Cloudflare
14789 Cloudflare
15133 Edgio
16625 Akamai
16702 Akamai
17204 Akamai
18680 Akamai
18717 Akamai
19551 Imperva
20446 StackPath
20940 Akamai
21342 Akamai
21357 Akamai
22822 Edgio
23454 Akamai
23455 Akamai
24319 Akamai
30148 Sucuri
32787 Akamai Prolexic
33438 StackPath
33905 Akamai
34164 Akamai
35993 Akamai
35994 Akamai
36183 Akamai
54113 Fastly
57724 DDoS-Guard
59796 StormWall
60068 Datacamp (CDN77)
132892 Cloudflare
197068 Qrator
199524 Gcore
200325 bunny.net
202422 Gcore
202623 Cloudflare
203898 Cloudflare
209242 Cloudflare
212238 Datacamp (CDN77)
394192 Fastly
394536 Cloudflare
395747 Cloudflare

# Web gateways of companies
15324 Barracuda
16880 Trend Micro
22616 Zscaler
36692 Cisco OpenDNS
44444 Forcepoint
53813 Zscaler
54538 Palo Alto Networks
55256 Netskope
62044 Zscaler

# VPN, proxy and address leasing
834 IPXO
39351 31173 Services
61317 Heficed
62371 Proton
136787 PacketHub
137409 GSL Networks
141039 PacketHub
147049 PacketHub
199218 Proton VPN
207137 PacketHub
209103 Proton
216025 Mullvad

# Hosters
3223 Voxility
3842 RamNode
6724 STRATO
7203 Leaseweb
7506 GMO Internet
7684 Sakura Internet
8100 QuadraNet
8560 IONOS
8972 PlusServer
9009 M247
9123 Timeweb
9370 Sakura Internet
9371 Sakura Internet
10532 Rackspace
11878 tzulo
12200 Rackspace
12488 Krystal
12824 home.pl
13213 UK2
13649 Flexential
13768 Aptum
15003 Nobis
15395 Rackspace
15418 Fasthosts
15817 Mittwald
16125 Cherry Servers
16276 OVHcloud
16371 acens
18229 CtrlS
19318 InterServer
19969 Joe’s Datacenter
19994 Rackspace
20738 GoDaddy
20773 Host Europe
20857 TransIP
20860 iomart
21069 METANET
21859 Zenlayer
22611 InMotion Hosting
22612 Namecheap
24806 Forpsi
24940 Hetzner
24961 myLoc
24971 Master Internet
25234 Active 24
25369 Hydra Communications
26347 DreamHost
26496 GoDaddy
27357 Rackspace
27715 Locaweb
28753 Leaseweb
29097 Hostpoint
29169 Gandi
29222 Infomaniak
29550 Simply Transit
29691 Nine
29761 QuadraNet
29873 Newfold Digital
30633 Leaseweb
31034 Aruba
31103 Keyweb
32097 WholeSale Internet
32244 Liquid Web
32613 iWeb
32748 Steadfast
33070 Rackspace
33182 HostDime
33387 Nocix
33891 Core-Backbone
34224 Neterra
34762 Combell
34788 ALL-INKL
35540 OVHcloud
36007 Kamatera
36352 ColoCrossing
37153 xneelo
38955 World4You
39570 Loopia
39729 Register.it
40021 Contabo
40676 Psychz Networks
41436 Kamatera
42708 GleSYS
43350 NForce
44066 firstcolo
44273 GoDaddy
44477 Stark Industries
44901 Belcloud
44925 1984 Hosting
45671 Servers Australia
46562 Performive
46606 Newfold Digital
46844 Sharktech
47583 Hostinger
49981 WorldStream
50474 o2switch
50673 Serverius
51013 Websupport
51167 Contabo
51396 Pfcloud
51468 one.com
51852 Private Layer
53667 FranTech (BuyVM)
54548 IONOS
54641 InMotion Hosting
55286 ServerMania
55293 A2 Hosting
57043 Hostkey
57367 Atman
59253 Leaseweb
60558 phoenixNAP
60781 Leaseweb
61157 PlusServer
61272 Bacloud
62240 Clouvider
62282 Rackray
62904 Eonix
63023 GTHost
63473 HostHatch
131965 Xserver
132335 LeapSwitch
133752 Leaseweb
141995 Contabo
197019 WEDOS
197540 netcup
197695 REG.RU
197902 Hostnet
198610 Beget
200000 Hosting Ukraine
200651 FlokiNET
202425 IP Volume
202468 ArvanCloud
203020 HostRoyale
205544 Leaseweb
207990 HostRoyale
210558 1337 Services
210644 Aeza
212317 Hetzner
213230 Hetzner
215859 Hetzner
216246 Aeza
394695 PublicDomainRegistry
395954 Leaseweb
396362 Leaseweb
397423 Tier.Net
398101 GoDaddy

# Transit
174 Cogent
1239 Cogent (Sprint)
1299 Arelion
2914 NTT
3257 GTT
3356 Lumen
3491 PCCW Global
3549 Lumen
3561 Lumen
5511 Orange
6453 Tata Communications
6461 Zayo
6762 Sparkle
6939 Hurricane Electric
7473 Singtel
8218 Zayo
13030 Init7

# Universities and research
137 GARR
224 Sikt (Uninett)
559 SWITCH
680 DFN
766 RedIRIS
786 Jisc
1103 SURF
1213 HEAnet
1653 SUNET
1659 TANet
1741 Funet
1853 ACOnet
2200 RENATER
2500 WIDE
2611 Belnet
2852 CESNET
2907 SINET
4538 CERNET
5408 GRNET
7575 AARNet
36914 KENET

# United States
209 Lumen
701 Verizon
702 Verizon
703 Verizon
5650 Frontier
6079 RCN
6128 Optimum
6167 Verizon Wireless
6621 Hughes
7018 AT&T
7029 Windstream
7155 Viasat
7922 Comcast
10796 Charter
11351 Charter
11426 Charter
11427 Charter
11492 Sparklight
12083 WOW!
12271 Charter
14593 Starlink
16591 Google Fiber
19108 Optimum
20001 Charter
20057 AT&T Mobility
20115 Charter
21928 T-Mobile USA
22394 Verizon Wireless
22773 Cox
30036 Mediacom
33363 Charter
46375 Sonic

# Canada
577 Bell Canada
803 SaskTel
812 Rogers
852 Telus
855 Bell Aliant
5645 TekSavvy
5769 Vidéotron
6327 Shaw
11260 Eastlink

# United Kingdom and Ireland
2856 BT
5089 Virgin Media
5378 Vodafone UK
5466 Eir
5607 Sky UK
6871 Plusnet
12576 EE
13037 Zen Internet
13280 Three Ireland
13285 TalkTalk
15502 Vodafone Ireland
20712 Andrews & Arnold
25135 Vodafone UK
25441 Imagine
56478 Hyperoptic
201838 Community Fibre
206067 Three UK

# Germany, Austria and Switzerland
1764 Next Layer
3209 Vodafone Germany
3303 Swisscom
3320 Deutsche Telekom
6730 Sunrise
6805 Telefónica Germany
6830 Liberty Global
8412 Magenta
8422 NetCologne
8447 A1 Telekom Austria
8767 M-net
8881 1&1 Versatel
9145 EWE TEL
13184 Telefónica Germany
15796 Salt
15943 wilhelm.tel
20676 Plusnet
20880 Tele Columbus
25255 Drei Austria
29562 Vodafone Germany
31334 Vodafone Germany
60294 Deutsche Glasfaser

# France and Belgium
3215 Orange
5410 Bouygues Telecom
5432 Proximus
6661 POST Luxembourg
6848 Telenet
12322 Free
12392 VOO
15557 SFR
21502 SFR
47377 Orange Belgium
51207 Free Mobile

# Spain, Portugal and Italy
1267 Wind Tre
2860 NOS
3243 MEO
3269 TIM
3352 Telefónica
6739 Vodafone Spain
8612 Tiscali
12338 Euskaltel
12353 Vodafone Portugal
12430 Vodafone Spain
12479 Orange Spain
12874 Fastweb
15704 MasOrange
24608 Wind Tre
29286 Skylogic
30722 Vodafone Italy
35612 EOLO
57269 Digi Spain
210278 Sky Italia

# Netherlands and the north of Europe
719 Elisa
1136 KPN
1257 Tele2
1759 Telia Finland
2119 Telenor
3249 Telia Eesti
3265 KPN
3292 TDC
3301 Telia
6677 Síminn
8473 Bahnhof
8764 Telia Lietuva
9143 Ziggo
9158 Telenor Denmark
12578 Tet
12969 Sýn
16086 DNA
29518 Bredband2
29695 Altibox
31615 Odido
33915 Ziggo
39651 Tele2 (Com Hem)
41164 Telia Norway
44034 Tre
50266 Odido
50613 Advania
206238 Freedom Internet

# The east of Europe
1241 Nova
3212 Telemach
3329 Vodafone Greece
5391 Hrvatski Telekom
5483 Magyar Telekom
5603 Telekom Slovenije
5610 O2 Czech Republic
5617 Orange Poland
6799 OTE
6855 Slovak Telekom
6866 CYTA
8374 Polkomtel
8400 Telekom Srbija
8448 Yettel Hungary
8708 Digi Romania
8717 A1 Bulgaria
8866 Vivacom
8953 Orange Romania
9050 Orange Romania
12301 Invitech
12302 Vodafone Romania
12361 Vodafone Greece
12709 Melita
12741 Netia
12912 T-Mobile Poland
13036 T-Mobile Czech Republic
13124 A1 Bulgaria
15735 GO
15962 Orange Slovakia
16019 Vodafone Czech Republic
20845 Digi Hungary
21021 Multimedia Polska
21334 Vodafone Hungary
25472 Wind Hellas
29244 Yettel Bulgaria
29314 Vectra
31042 SBB
34779 T-2
39603 Play

# Russia, Ukraine and the centre of Asia
3216 VimpelCom (Beeline)
6849 Ukrtelecom
8359 MTS
8402 VimpelCom (Beeline)
9049 ER-Telecom
9198 Kazakhtelecom
12389 Rostelecom
12714 MegaFon (NetByNet)
13188 Triolan
15378 Tele2 Russia
15895 Kyivstar
20485 TransTelecom
21497 Vodafone Ukraine
25229 Volia
25513 MGTS
29049 Delta Telecom
31133 MegaFon
34058 lifecell

# Turkey and the Middle East
1680 Cellcom Israel
5384 Etisalat
8551 Bezeq
8966 Etisalat
9116 Partner
9121 Türk Telekom
12400 Partner
12735 TurkNet
12849 HOT
15802 du
15897 Vodafone Turkey
16135 Turkcell
16322 ParsOnline
25019 STC
31549 Shatel
34984 Turkcell Superonline
35819 Mobily
39891 STC
43754 Asiatech
43766 Zain Saudi Arabia
44244 Irancell
47331 Türk Telekom
47524 Türksat
58224 TCI
197207 MCI

# Africa
3741 Internet Solutions
5713 Telkom South Africa
8452 TE Data
10474 MWEB
15399 Wananchi
16637 MTN
24835 Vodafone Egypt
24863 Orange Egypt
29465 MTN Nigeria
29975 Vodacom
33771 Safaricom
36873 Airtel Nigeria
36884 inwi
36903 Maroc Telecom
36925 Orange Morocco
36992 Etisalat Egypt
37148 Globacom
37457 Telkom South Africa
37611 Afrihost

# South Asia
4755 Tata Communications
9329 Sri Lanka Telecom
9498 Airtel
9541 Cybernet
9829 BSNL
17488 Hathway
17557 PTCL
17762 Tata Teleservices
17813 MTNL
18209 ACT
24309 ACT
24389 Grameenphone
24560 Airtel
38266 Vodafone Idea
45595 PTCL
45609 Airtel
45820 Tata Teleservices
55410 Vodafone Idea
55836 Reliance Jio
133982 Excitel

# The southeast of Asia
3758 Singtel
4657 StarHub
4761 Indosat
4773 M1
4775 Globe
4788 TM
4818 Digi Malaysia
7470 True
7552 Viettel
7713 Telkom Indonesia
9299 PLDT
9506 Singtel
9534 Maxis
9737 TOT
9930 TIME
10030 Celcom
10139 Smart
17552 True
17639 Converge
17974 Telkom Indonesia
18403 FPT
23693 Telkomsel
23700 Linknet
23969 TOT
24203 XL Axiata
24378 dtac
45543 SCTV
45629 JasTel
45727 Hutchison 3 Indonesia
45758 3BB
45899 VNPT
55430 StarHub
131429 MobiFone
131445 AIS
132199 Globe
133481 AIS

# China, Hong Kong and Taiwan
3462 Chunghwa Telecom
4134 China Telecom
4760 HKT
4780 Far EasTone
4808 China Unicom
4809 China Telecom
4812 China Telecom
4837 China Unicom
9269 HKBN
9304 HGC
9674 Far EasTone
9808 China Mobile
9924 Taiwan Mobile
9929 China Unicom
10099 China Unicom
17621 China Unicom
17622 China Unicom
17623 China Unicom
17924 SmarTone
23724 China Telecom
24158 Taiwan Mobile
24400 China Mobile
56040 China Mobile
56041 China Mobile
56046 China Mobile
56048 China Mobile
58453 China Mobile
58466 China Telecom

# Japan and Korea
2497 IIJ
2516 KDDI
2518 BIGLOBE
2527 So-net
3786 LG U+
4685 ASAHI Net
4713 NTT OCN
4766 KT
9318 SK Broadband
9605 NTT Docomo
9644 SK Telecom
9824 JCOM
10013 FreeBit
17511 OPTAGE
17676 SoftBank
17858 LG U+
18126 CTC
18144 Enecom
138384 Rakuten Mobile

# Australia and New Zealand
1221 Telstra
2764 AAPT
4739 Internode
4764 Aussie Broadband
4771 Spark
4804 Optus
7474 Optus
7545 TPG
9443 Vocus
9500 One NZ
9790 2degrees
10143 Exetel
23655 2degrees
38195 Superloop
56030 Voyager
133612 Vodafone Australia

# The Americas
3816 Movistar Colombia
4230 Claro Brasil
6147 Telefónica del Perú
6429 Claro Chile
6503 Axtel
7303 Telecom Argentina
7418 Movistar Chile
7738 Oi
8048 CANTV
8151 Telmex
8167 Oi
10318 Telecom Argentina
10429 Vivo
10481 Telecom Argentina
10620 Claro Colombia
11664 Claro Argentina
12252 Claro Perú
13489 Tigo Colombia
13999 Megacable
14259 GTD
14420 CNT
14868 Ligga
16735 Algar
17072 Totalplay
18881 Vivo
19429 ETB
21575 Entel Perú
22047 VTR
22085 Claro Brasil
22927 Telefónica Argentina
26599 Vivo
26611 Claro Colombia
26615 TIM Brasil
27651 Entel Chile
27699 Vivo
27747 Telecentro
27831 Tigo Colombia
27947 Telconet
28006 CNT
28126 Brisanet
28403 Telcel
28573 Claro Brasil
32098 Transtelco
53006 Algar
`;

const NAMES: ReadonlyMap<number, string> = new Map(
  TABLE.split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => {
      const space = line.indexOf(' ');
      return [Number(line.slice(0, space)), line.slice(space + 1)] as const;
    }),
);

/** Empty: the table does not have it. */
export const networkName = (asn: number): string => NAMES.get(asn) ?? '';

/** All of the table, by number. */
export const networkNames = (): { readonly asn: number; readonly name: string }[] =>
  [...NAMES].map(([asn, name]) => ({ asn, name })).sort((a, b) => a.asn - b.asn);
