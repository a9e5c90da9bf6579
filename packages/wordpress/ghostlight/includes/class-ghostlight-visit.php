<?php
/**
 * What of a visit leaves the site, by what it is.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Without any call to WordPress.
 */
final class Ghostlight_Visit {

	/** Query parameters by which ad platforms name a click. */
	const CLICK_IDS = array( 'gclid', 'gbraid', 'wbraid', 'dclid', 'gad_source', 'gad_campaignid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'epik', 'sccid', 'rdt_cid', 'twclid', 'oppref', 'igshid', 'irclid', 'qclid', 'bfcid', 'mc_cid', '_kx' );

	/**
	 * What is read of a request.
	 *
	 * @param array<string, mixed> $server    What $_SERVER holds.
	 * @param string               $site_host The site's own host, for requests that name none.
	 * @return array<string, string>
	 */
	public static function traits( array $server, $site_host ) {
		$text   = static function ( $name, $limit ) use ( $server ) {
			return Ghostlight_Text::cut( isset( $server[ $name ] ) ? $server[ $name ] : '', $limit );
		};
		$target = $text( 'REQUEST_URI', Ghostlight_Text::PATH + Ghostlight_Text::QUERY );
		// A proxy may ask for a whole URL.
		$target = (string) preg_replace( '~^https?://[^/?#]*~i', '', $target );
		$parts  = explode( '?', $target, 2 );
		$host   = $text( 'HTTP_HOST', Ghostlight_Text::HOST );
		return array(
			'host'            => '' === $host ? $site_host : $host,
			'method'          => $text( 'REQUEST_METHOD', Ghostlight_Text::METHOD ),
			'path'            => '' === $parts[0] ? '/' : Ghostlight_Text::cut( $parts[0], Ghostlight_Text::PATH ),
			'query'           => isset( $parts[1] ) ? Ghostlight_Text::cut( $parts[1], Ghostlight_Text::QUERY ) : '',
			'user_agent'      => $text( 'HTTP_USER_AGENT', Ghostlight_Text::USER_AGENT ),
			'referrer'        => $text( 'HTTP_REFERER', Ghostlight_Text::REFERRER ),
			'accept'          => $text( 'HTTP_ACCEPT', Ghostlight_Text::USER_AGENT ),
			'signature'       => $text( 'HTTP_SIGNATURE', Ghostlight_Text::SIGNATURE ),
			'signature_input' => $text( 'HTTP_SIGNATURE_INPUT', Ghostlight_Text::SIGNATURE ),
			'signature_agent' => $text( 'HTTP_SIGNATURE_AGENT', Ghostlight_Text::SIGNATURE ),
		);
	}

	/**
	 * The id by which a visit is known, so that it counts once however often it is sent.
	 *
	 * @param array<string, mixed> $server        What $_SERVER holds.
	 * @param bool                 $is_cloudflare Whether Cloudflare is known to be in front: any client can write its header elsewhere.
	 * @return string The ray id, by which Cloudflare's own log and a collector name the visit too; else random.
	 */
	public static function request_id( array $server, $is_cloudflare ) {
		$ray = $is_cloudflare && isset( $server['HTTP_CF_RAY'] ) ? $server['HTTP_CF_RAY'] : '';
		if ( is_string( $ray ) && 1 === preg_match( '/^([0-9a-f]{16})(?:-[a-z]{3})?$/iD', $ray, $found ) ) {
			return Ghostlight_Text::lower( $found[1] );
		}
		return bin2hex( random_bytes( 16 ) );
	}

	/**
	 * One line of what is posted, in the names of the service. Members that say nothing are left out.
	 *
	 * A crawler is no person: its visit is reported whole, and its address is verified and forgotten. Of a person only what the service keeps
	 * may leave.
	 *
	 * @param array<string, string> $traits As traits() gives them.
	 * @param string                $kind   A constant of Ghostlight_Judge.
	 * @param array<string, mixed>  $facts  "at" (milliseconds), "status", "ip", "request_id", "scheme", "sample_rate",
	 *                                      "worker_version".
	 * @return array<string, mixed>
	 */
	public static function line( array $traits, $kind, array $facts ) {
		$line = array(
			'timestamp'      => $facts['at'],
			'host'           => $traits['host'],
			'method'         => $traits['method'],
			'pathname'       => $traits['path'],
			'user_agent'     => $traits['user_agent'],
			'referer'        => '',
			'status'         => $facts['status'],
			'request_id'     => $facts['request_id'],
			'worker_version' => $facts['worker_version'],
		);
		if ( Ghostlight_Judge::SAMPLE === $kind ) {
			$origin              = Ghostlight_Url::origin( $traits['referrer'] );
			$line['referer']     = null === $origin ? '' : $origin['host'];
			$line['ip']          = (string) Ghostlight_Address::truncate( $facts['ip'] );
			$line['sample_rate'] = $facts['sample_rate'];
		} elseif ( Ghostlight_Judge::AI_REFERRAL === $kind ) {
			$line['pathname'] = self::target( $traits['path'], self::campaign( $traits['query'] ) );
			$line['referer']  = self::origin_of( $traits['referrer'] );
		} else {
			$line['pathname'] = self::target( $traits['path'], $traits['query'] );
			$line['referer']  = $traits['referrer'];
			$line['ip']       = $facts['ip'];
			if ( '' !== $traits['signature'] ) {
				$line['scheme'] = $facts['scheme'];
				$line          += array_intersect_key( $traits, array_flip( array( 'accept', 'signature', 'signature_input', 'signature_agent' ) ) );
			}
		}
		return array_filter(
			$line,
			static function ( $value ) {
				return '' !== $value && 0 !== $value;
			}
		);
	}

	/**
	 * Campaign tags and click ids of a query; anything else may be personal.
	 *
	 * @param string $query As received.
	 * @return string
	 */
	public static function campaign( $query ) {
		$kept = array();
		foreach ( explode( '&', $query ) as $pair ) {
			$name = Ghostlight_Text::lower( explode( '=', $pair, 2 )[0] );
			if ( 0 === strpos( $name, 'utm_' ) || in_array( $name, self::CLICK_IDS, true ) ) {
				$kept[] = $pair;
			}
		}
		return implode( '&', $kept );
	}

	/**
	 * A path with its query.
	 *
	 * @param string $path  Begins with a slash.
	 * @param string $query Empty: none.
	 * @return string
	 */
	private static function target( $path, $query ) {
		return '' === $query ? $path : $path . '?' . $query;
	}

	/**
	 * "https://chatgpt.com/": neither path nor query.
	 *
	 * @param string $referrer As received.
	 * @return string
	 */
	private static function origin_of( $referrer ) {
		$origin = Ghostlight_Url::origin( $referrer );
		if ( null === $origin ) {
			return '';
		}
		return ( $origin['is_app'] ? 'android-app://' : 'https://' ) . $origin['host'] . '/';
	}
}
