<?php
/** Reads cases as JSON on stdin and prints what the plugin's classes make of them, one result for each. */

error_reporting( E_ALL );
set_error_handler(
	static function ( $level, $message, $file, $line ) {
		throw new ErrorException( $message, 0, $level, $file, $line );
	}
);
define( 'ABSPATH', __DIR__ . '/' );
spl_autoload_register(
	static function ( $name ) {
		require dirname( __DIR__ ) . '/ghostlight/includes/class-' . strtolower( str_replace( '_', '-', $name ) ) . '.php';
	}
);

$input   = json_decode( stream_get_contents( STDIN ), true, 64, JSON_THROW_ON_ERROR );
$lists   = null === $input['lists'] ? Ghostlight_Lists::packed() : Ghostlight_Lists::read( $input['lists'] ) + Ghostlight_Lists::packed();
$results = array();
foreach ( $input['cases'] as $case ) {
	$results[] = result_of( $case, $lists );
}
echo json_encode( $results, JSON_THROW_ON_ERROR );

function result_of( array $case, array $lists ) {
	switch ( $case['what'] ) {
		case 'bot':
			return Ghostlight_Tokens::find( $lists['bots'], Ghostlight_Text::cut( $case['user_agent'], Ghostlight_Text::USER_AGENT ) );
		case 'program':
			return Ghostlight_Judge::is_program( $case['user_agent'], $lists['programs'] );
		case 'referral':
			return Ghostlight_Judge::referral( $case['traits'], $lists, $case['own'] );
		case 'truncate':
			return Ghostlight_Address::truncate( $case['ip'] );
		case 'client':
			return Ghostlight_Address::of_client( $case['server'], $case['mode'], $case['proxies'], $case['header'] );
		case 'origin':
			return Ghostlight_Url::origin( $case['url'] );
		case 'line':
			$traits = Ghostlight_Visit::traits( $case['server'], 'shop.example' );
			$kind   = Ghostlight_Judge::classify( $traits, $lists, array( 'shop.example' ) );
			$kind   = null === $kind && $case['is_drawn'] ? Ghostlight_Judge::SAMPLE : $kind;
			return null === $kind ? null : array(
				'kind' => $kind,
				'line' => (object) Ghostlight_Visit::line( $traits, $kind, $case['facts'] ),
			);
		case 'cut':
			return Ghostlight_Text::cut( base64_decode( $case['bytes'] ), $case['limit'] );
		case 'lists':
			return null !== Ghostlight_Lists::read( $case['body'] );
		case 'url':
			return Ghostlight_Settings::clean_url( $case['url'] );
		case 'outcome':
			return Ghostlight_Sender::outcome( $case['answer'] )['code'];
		case 'manifest':
			return Ghostlight_Manifest::read( $case['text'], $case['attribution_id'], $case['now'] );
		case 'caches':
			return Ghostlight_Caches::named_by( $case['headers'] );
	}
}
