<?php
/**
 * Tells whether a page cache answers visitors before WordPress runs: the plugin sees none of those visits.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Two ways. The site asks for its own front page, with a word that only a running plugin answers: that finds every cache, known or not. And
 * known caches are named, so that the owner knows which one it is.
 */
final class Ghostlight_Caches {

	const RESULT = 'ghostlight_cache_check';
	/** How long a result is shown before the check is due again. */
	const KEPT = DAY_IN_SECONDS;
	/** Header of the question and of the answer. */
	const HEADER = 'X-Ghostlight-Probe';
	/** Seconds for which a question is good. */
	const GOOD_FOR = 60;

	/** Main file of a plugin => its name. */
	const PLUGINS = array(
		'wp-super-cache/wp-cache.php'             => 'WP Super Cache',
		'w3-total-cache/w3-total-cache.php'       => 'W3 Total Cache',
		'wp-rocket/wp-rocket.php'                 => 'WP Rocket',
		'litespeed-cache/litespeed-cache.php'     => 'LiteSpeed Cache',
		'wp-fastest-cache/wpFastestCache.php'     => 'WP Fastest Cache',
		'cache-enabler/cache-enabler.php'         => 'Cache Enabler',
		'wp-optimize/wp-optimize.php'             => 'WP-Optimize',
		'sg-cachepress/sg-cachepress.php'         => 'SiteGround Speed Optimizer',
		'breeze/breeze.php'                       => 'Breeze',
		'hummingbird-performance/wp-hummingbird.php' => 'Hummingbird',
		'comet-cache/comet-cache.php'             => 'Comet Cache',
		'surge/surge.php'                         => 'Surge',
		'nginx-helper/nginx-helper.php'           => 'Nginx Helper',
	);

	/** What is said of a cache whose maker the headers don't tell. */
	const UNNAMED = array( 'a proxy', 'a CDN' );

	/** Header of an answer => what it tells of, if its value matches. */
	const HEADERS = array(
		'cf-cache-status'   => array( 'Cloudflare', '/hit|stale|revalidated|updating/i' ),
		'x-varnish'         => array( 'Varnish', '/^\d+ \d+/' ),
		'x-litespeed-cache' => array( 'LiteSpeed', '/hit/i' ),
		'x-fastcgi-cache'   => array( 'nginx', '/hit|stale/i' ),
		'x-nginx-cache'     => array( 'nginx', '/hit|stale/i' ),
		'x-proxy-cache'     => array( 'nginx', '/hit|stale/i' ),
		'x-sucuri-cache'    => array( 'Sucuri', '/hit/i' ),
		'x-kinsta-cache'    => array( 'Kinsta', '/hit/i' ),
		'x-cache'           => array( 'a CDN', '/hit/i' ),
		'x-cache-status'    => array( 'a proxy', '/hit|stale/i' ),
		'x-vercel-cache'    => array( 'Vercel', '/hit|stale/i' ),
		'age'               => array( 'a proxy', '/^[1-9]/' ),
	);

	/**
	 * Names of the page caches that are installed in WordPress.
	 *
	 * @return string[]
	 */
	public static function installed() {
		$active = (array) get_option( 'active_plugins', array() );
		if ( is_multisite() ) {
			$active = array_merge( $active, array_keys( (array) get_site_option( 'active_sitewide_plugins', array() ) ) );
		}
		$names = array_values( array_intersect_key( self::PLUGINS, array_flip( array_filter( $active, 'is_string' ) ) ) );
		$known = array(
			'WP Super Cache'  => defined( 'WPCACHEHOME' ),
			'W3 Total Cache'  => defined( 'W3TC' ),
			'WP Rocket'       => defined( 'WP_ROCKET_VERSION' ),
			'LiteSpeed Cache' => defined( 'LSCWP_V' ),
		);
		$names = array_values( array_unique( array_merge( $names, array_keys( array_filter( $known ) ) ) ) );
		// The way in for any of them: WordPress loads this file before all plugins.
		if ( array() === $names && defined( 'WP_CACHE' ) && WP_CACHE && is_readable( WP_CONTENT_DIR . '/advanced-cache.php' ) ) {
			$names[] = 'wp-content/advanced-cache.php';
		}
		return $names;
	}

	/**
	 * What is in front of the server, as far as the headers of this request tell.
	 *
	 * @param array<string, mixed> $server What $_SERVER holds.
	 * @return string[]
	 */
	public static function in_front( array $server ) {
		$names = array();
		if ( isset( $server['HTTP_CF_RAY'] ) ) {
			$names[] = 'Cloudflare';
		}
		if ( isset( $server['HTTP_X_VARNISH'] ) ) {
			$names[] = 'Varnish';
		}
		if ( isset( $server['HTTP_FASTLY_CLIENT_IP'] ) ) {
			$names[] = 'Fastly';
		}
		return $names;
	}

	/**
	 * Checks once a day, and after each change of settings; wp-cron calls it.
	 *
	 * @return void
	 */
	public static function check_when_due() {
		if ( Ghostlight_Settings::get()->is_complete() && false === get_transient( self::RESULT ) ) {
			self::check();
		}
	}

	/**
	 * Asks for the front page twice, as a visitor does. A page may be stored by the first request and served from the store by the second.
	 *
	 * @return array{at: int, asked: int, seen: int, caches: string[], error: string}
	 */
	public static function check() {
		$result = array(
			'at'     => time(),
			'asked'  => 0,
			'seen'   => 0,
			'caches' => array(),
			'error'  => '',
		);
		for ( $turn = 0; $turn < 2; $turn++ ) {
			$word   = self::question( time() . '.' . bin2hex( random_bytes( 8 ) ) );
			$answer = wp_remote_get(
				home_url( '/' ),
				array(
					'timeout'     => 8,
					'redirection' => 3,
					'sslverify'   => (bool) apply_filters( 'https_local_ssl_verify', false ), // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- A filter of WordPress, for requests to itself.
					'user-agent'  => 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
					'headers'     => array( self::HEADER => $word ),
				)
			);
			if ( is_wp_error( $answer ) ) {
				$result['error'] = Ghostlight_Text::cut( $answer->get_error_message(), 300 );
				break;
			}
			++$result['asked'];
			if ( wp_remote_retrieve_header( $answer, self::HEADER ) === self::reply( $word ) ) {
				++$result['seen'];
			}
			$result['caches'] = array_merge( $result['caches'], self::named_by( wp_remote_retrieve_headers( $answer ) ) );
		}
		$result['caches'] = array_values( array_unique( $result['caches'] ) );
		set_transient( self::RESULT, $result, self::KEPT );
		return $result;
	}

	/**
	 * The caches that the headers of an answer name. Pure.
	 *
	 * @param ArrayAccess|array<string, mixed> $headers Of an answer, names in lower case.
	 * @return string[]
	 */
	public static function named_by( $headers ) {
		$names = array();
		foreach ( self::HEADERS as $name => $about ) {
			$value = isset( $headers[ $name ] ) ? $headers[ $name ] : '';
			$value = is_array( $value ) ? implode( ', ', $value ) : (string) $value;
			if ( 1 === preg_match( $about[1], $value ) ) {
				$names[] = $about[0];
			}
		}
		$known = array_values( array_unique( array_diff( $names, self::UNNAMED ) ) );
		return array() === $known ? array_slice( $names, 0, 1 ) : $known;
	}

	/**
	 * Whether this request is a question of check().
	 *
	 * @return bool
	 */
	public static function is_probe() {
		static $is_probe = null;
		if ( null === $is_probe ) {
			// phpcs:ignore WordPress.Security.ValidatedSanitizedInput -- Compared with what this site has signed.
			$word     = isset( $_SERVER['HTTP_X_GHOSTLIGHT_PROBE'] ) ? $_SERVER['HTTP_X_GHOSTLIGHT_PROBE'] : '';
			$is_probe = is_string( $word ) && 1 === preg_match( '/^((\d{10})\.[0-9a-f]{16})\.[0-9a-f]{32}$/D', $word, $found )
				&& abs( time() - (int) $found[2] ) <= self::GOOD_FOR && hash_equals( self::question( $found[1] ), $word );
		}
		return $is_probe;
	}

	/**
	 * Answers a question: only a running plugin can.
	 *
	 * @return void
	 */
	public static function answer_probe() {
		if ( self::is_probe() && ! headers_sent() ) {
			// phpcs:ignore WordPress.Security.ValidatedSanitizedInput -- is_probe() has checked it.
			header( self::HEADER . ': ' . self::reply( $_SERVER['HTTP_X_GHOSTLIGHT_PROBE'] ) );
		}
	}

	/**
	 * A question that no other sender can make, so that no visitor hides behind it.
	 *
	 * @param string $once Time and chance.
	 * @return string
	 */
	private static function question( $once ) {
		return $once . '.' . substr( hash_hmac( 'sha256', 'ask ' . $once, wp_salt( 'nonce' ) ), 0, 32 );
	}

	/**
	 * The reply to a question. Each has its own: a stored page has that of another one.
	 *
	 * @param string $question Of question().
	 * @return string
	 */
	private static function reply( $question ) {
		return substr( hash_hmac( 'sha256', 'reply ' . $question, wp_salt( 'nonce' ) ), 0, 32 );
	}
}
